import { OAuthProgram, tokensOf } from './support/oauth-program.js';
import { describeOnNewPostgres } from './support/postgres.js';
import { RoundRobin } from './support/round-robin.js';
import { TestService } from './support/service.js';
import { SignInBrowser } from './support/sign-in-browser.js';
import { Hang, TestSkillsModule } from './support/test-skills.module.js';
import { until } from './support/until.js';

const PASSWORD = 'a-long-password-of-ada';

describeOnNewPostgres('signing in through two replicas behind a load balancer without affinity', (database) => {
  const replicas: TestService[] = [];
  const targets: URL[] = [];
  const balancer = new RoundRobin(targets);
  let origin: string;

  beforeAll(async () => {
    ({ origin } = await balancer.start());
    const env = { DATABASE_URL: database.url, PUBLIC_URL: origin, OAUTH_ENABLED: 'on' };
    for (let number = 0; number < 2; number += 1) {
      const replica = await TestService.start({ imports: [TestSkillsModule], env });
      replicas.push(replica);
      targets.push(replica.mcpUrl);
    }
    await replicas[0]?.admin('POST', 'administrators', { name: 'ada', role: 'member', password: PASSWORD });
  });
  afterAll(async () => {
    await balancer.stop();
    for (const one of replicas) await one.stop();
  });

  const statuses = async (token: string) => {
    const program = new OAuthProgram(origin);
    return [(await program.call(token)).status, (await program.call(token)).status];
  };
  const running = () => replicas.reduce((sum, { app }) => sum + app.get(Hang).running, 0);

  // Optionally one more request in between: so each step reaches each replica.
  it.each([0, 1])('works with every step on another one (%s)', async (more) => {
    const program = new OAuthProgram(origin);
    for (let count = 0; count < more; count += 1) await fetch(`${origin}/health/live`);
    const tokens = await program.signIn('ada', PASSWORD);
    expect(await statuses(tokens.access)).toEqual([200, 200]);
    const refreshed = tokensOf((await program.refresh(tokens.refresh)).body);
    expect(await statuses(refreshed.access)).toEqual([200, 200]);
  });

  it('gives a hundred programs that refresh at once an answer, and keeps one grant', async () => {
    const program = new OAuthProgram(origin);
    const { refresh } = await program.signIn('ada', PASSWORD);
    const answers = await Promise.all(Array.from({ length: 100 }, () => program.refresh(refresh)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
    expect(await statuses(tokensOf(answers[57]?.body ?? {}).access)).toEqual([200, 200]);
  });

  it('presents a code to both at once in vain', async () => {
    const program = new OAuthProgram(origin);
    await program.register();
    const back = await new SignInBrowser(origin, 'ada', PASSWORD).signIn(program.link());
    const answers = await Promise.all(Array.from({ length: 20 }, () => program.exchange(back)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThanOrEqual(answers.length - 1);
    expect(new Set(refused.map(({ status, body }) => `${status} ${String(body['error'])}`))).toEqual(
      new Set(['400 invalid_grant']),
    );
    // Whoever was first loses the tokens, too: the code is in other hands.
    for (const { status, body } of answers)
      if (status === 200) expect(await statuses(tokensOf(body).access)).toEqual([401, 401]);
  });

  it.each<[string, (replica: TestService, grant: string) => Promise<unknown>]>([
    ['a grant is revoked', (replica, grant) => replica.admin('DELETE', `grants/${grant}`)],
    ['an account is disabled', (replica) => replica.admin('PUT', 'administrators/ada', { disabled: true })],
  ])('ends running calls everywhere when %s', async (_what, end) => {
    await replicas[0]?.admin('PUT', 'administrators/ada', { disabled: false });
    const program = new OAuthProgram(origin);
    let tokens = { access: '' };
    await until(async () => {
      tokens = await program.signIn('ada', PASSWORD).catch(() => tokens);
      return tokens.access !== '';
    });
    expect(await statuses(tokens.access)).toEqual([200, 200]);
    const calls = [program.call(tokens.access, undefined, 'hang'), program.call(tokens.access, undefined, 'hang')];
    await until(() => running() === 2);
    const [first] = replicas;
    if (!first) throw new Error('it did not start');
    const items = (await first.admin('GET', 'grants')).body['items'] as { id: string; program: string }[];
    await end(first, items.find((one) => one.program === program.id)?.id ?? '');
    await until(() => running() === 0);
    await Promise.allSettled(calls);
    await until(async () => (await statuses(tokens.access)).every((status) => status === 401));
  });
});
