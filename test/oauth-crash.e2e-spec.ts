import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './harness/free-port.js';
import { ServerProcess } from './harness/server-process.js';
import { Random } from './fuzz/random.js';
import { describeOnEachDatabase } from './support/databases.js';
import { OAuthProgram, type Tokens, tokensOf } from './support/oauth-program.js';
import { ADMIN_PASSWORD, KEY } from './support/service.js';
import { SignInBrowser } from './support/sign-in-browser.js';

const SEED = 20_261_127;
/** A step takes some milliseconds; the kill may come before, during or after it. */
const LATEST_KILL_MS = 25;

describeOnEachDatabase('a service that is killed during a sign-in', (data) => {
  const random = new Random(SEED);
  let origin: string;
  let server: ServerProcess;

  const start = async () => {
    server = await ServerProcess.start({
      env: {
        ...{ LOG_LEVEL: 'warn', MCP_API_KEY: KEY, ADMIN_PASSWORD, OAUTH_ENABLED: 'on' },
        ...{ PORT: new URL(origin).port, HOST: '127.0.0.1', PUBLIC_URL: origin },
        ...data.env,
      },
    });
  };
  beforeAll(async () => {
    origin = `http://127.0.0.1:${await freePort()}`;
    await start();
  });
  afterAll(() => server.kill());

  /** Runs a step while the service is killed, and again after the restart. Returns null when it cannot be repeated. */
  const outlasting = async <Result>(step: () => Promise<Result>): Promise<Result | null> => {
    const first = step().catch(() => null);
    await delay(random.integer(0, LATEST_KILL_MS));
    await server.kill();
    const answered = await first;
    await start();
    return answered ?? (await step().catch(() => null));
  };

  /** Signs in; starts over if it cannot continue, as programs do. */
  const signIn = async (program: OAuthProgram): Promise<Tokens> => {
    const browser = new SignInBrowser(origin, 'admin', ADMIN_PASSWORD);
    const id = await outlasting(() => browser.open(program.link()));
    await browser.logIn();
    const back = id === null ? null : await outlasting(() => browser.decide(id, 'allow'));
    const tokens = back && (await outlasting(async () => tokensOf((await program.exchange(back)).body)));
    if (tokens) return tokens;
    const again = await new SignInBrowser(origin, 'admin', ADMIN_PASSWORD).signIn(program.link());
    return tokensOf((await program.exchange(again)).body);
  };

  it.each([1, 2, 3])('at each step lets its program finish, or start over, and never half (%s)', async () => {
    const program = new OAuthProgram(origin);
    const registered = await outlasting(() => program.register());
    expect(registered?.status).toBe(201);
    const tokens = await signIn(program);
    expect((await program.call(tokens.access)).status).toBe(200);
    const refreshed = await outlasting(async () => tokensOf((await program.refresh(tokens.refresh)).body));
    // Within the grace period, a refresh whose response was lost can be repeated.
    if (!refreshed) throw new Error('the program has lost its login');
    for (const { access } of [tokens, refreshed]) expect((await program.call(access)).status).toBe(200);
  });
});
