import { sql } from 'kysely';
import { Database } from '../src/platform/database/database.js';
import { TcpProxy } from './faults/tcp-proxy.js';
import { type Answer, OAuthProgram, tokensOf } from './support/oauth-program.js';
import { describeOnNewPostgres } from './support/postgres.js';
import { ADMIN_PASSWORD, TestService } from './support/service.js';
import { SignInBrowser } from './support/sign-in-browser.js';
import { until } from './support/until.js';

/** The response while nothing can be stored: programs must retry later, and not sign in again. */
const TRY_AGAIN = { status: 503, body: { error: 'temporarily_unavailable' } };

async function expectPatience(answer: Answer): Promise<void> {
  expect(answer).toMatchObject(TRY_AGAIN);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

async function untilDone<Result>(step: () => Promise<Result>): Promise<Result> {
  const results: Result[] = [];
  await until(() =>
    step().then(
      (result) => results.push(result) > 0,
      () => false,
    ),
  );
  const [result] = results;
  if (result === undefined) throw new Error('it was never done');
  return result;
}

/** Tries each step of a sign-in while the database fails, and again afterwards. */
async function throughFault(origin: string, fault: { begin: () => Promise<void>; end: () => Promise<void> }) {
  const program = new OAuthProgram(origin);
  const { access, refresh } = await program.signIn('admin', ADMIN_PASSWORD);
  expect((await program.call(access)).status).toBe(200);
  const browser = new SignInBrowser(origin, 'admin', ADMIN_PASSWORD);
  const asked = await browser.open(program.link());
  await browser.logIn();

  await fault.begin();
  // Tokens in the memory cache still work.
  expect((await program.call(access)).status).toBe(200);
  await expectPatience(await program.refresh(refresh));
  await expectPatience(await new OAuthProgram(origin).register());
  const page = await fetch(program.link(), { redirect: 'manual', headers: { accept: 'text/html' } });
  expect(page.status).toBe(503);
  expect(await page.text()).toContain('begin again');
  expect((await browser.send('POST', `/admin/api/sign-ins/${asked}/allow`)).status).toBe(503);

  await fault.end();
  await until(async () => (await program.refresh(refresh)).status === 200);
  // The user retries; a sign-in that could not be recorded starts over.
  const decided = () => browser.decide(asked, 'allow').catch(() => browser.signIn(program.link()));
  const back = await untilDone(decided);
  expect((await program.call(tokensOf((await program.exchange(back)).body).access)).status).toBe(200);
}

describe('signing in while the disk is full', () => {
  let service: TestService;
  let origin: string;
  beforeAll(async () => {
    service = await TestService.start({ signsIn: true });
    origin = service.origin;
  });
  afterAll(() => service.stop());

  const database = () => service.app.get(Database, { strict: false });
  const limitTo = (pages: number) => sql.raw(`pragma max_page_count = ${pages}`).execute(database());

  it('asks programs and people to try again, and loses nothing', async () => {
    await throughFault(origin, {
      begin: async () => {
        const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database());
        await limitTo(rows[0]?.page_count ?? 0);
        // Fills the free space inside the file.
        const at = { created_at: '', expires_at: '9' };
        const fillers = [
          (id: string, payload: string) =>
            database()
              .insertInto('oauth_artifacts')
              .values({ ...at, kind: 'x', id_hash: id, payload, grant_id: null, consumed_at: null }),
          (id: string, metadata: string) =>
            database()
              .insertInto('oauth_programs')
              .values({ id, metadata, is_listed: 0, created_at: '', used_at: null }),
        ];
        for (const [size, fill] of [4_000, 400, 40].flatMap((one) => fillers.map((filler) => [one, filler] as const))) {
          const isDone = (count: number) =>
            fill(`filler ${size} ${count}`, 'x'.repeat(size))
              .execute()
              .then(
                () => true,
                () => false,
              );
          for (let count = 0; await isDone(count);) count += 1;
        }
      },
      end: async () => {
        await limitTo(1_000_000);
        await database().deleteFrom('oauth_artifacts').where('kind', '=', 'x').execute();
        await database().deleteFrom('oauth_programs').where('id', 'like', 'filler %').execute();
      },
    });
  });

  it.each(['AccessToken', 'RefreshToken'])(
    'keeps a code for another exchange when no %s can be stored',
    async (kind) => {
      const program = new OAuthProgram(origin);
      await program.register();
      const back = await new SignInBrowser(origin, 'admin', ADMIN_PASSWORD).signIn(program.link());
      await sql`create trigger refusing before insert on oauth_artifacts when new.kind = ${sql.lit(kind)}
      begin select raise(abort, 'refused'); end`.execute(database());
      const failed = await program.exchange(back);
      await sql`drop trigger refusing`.execute(database());
      expect(failed.status).toBe(500);
      const { access } = tokensOf((await program.exchange(back)).body);
      expect((await program.call(access)).status).toBe(200);
    },
  );

  it('says so when there is no room for another program', async () => {
    const programs = Array.from({ length: 1_000 }, (_, number) => {
      const at = '2026-01-01T00:00:00.000Z';
      return { id: `used ${number}`, metadata: '{}', is_listed: 0, created_at: at, used_at: at };
    });
    await database().deleteFrom('oauth_programs').execute();
    await database().insertInto('oauth_programs').values(programs).execute();
    const answer = await new OAuthProgram(origin).register();
    await expectPatience(answer);
    expect(answer.body['error_description']).toContain('ask an administrator');
  });
});

describeOnNewPostgres('signing in while the database is gone', (database) => {
  let proxy: TcpProxy;
  let service: TestService;
  let origin: string;
  beforeAll(async () => {
    proxy = await TcpProxy.before(new URL(database.url));
    const env = { DATABASE_URL: proxy.through(new URL(database.url)).href };
    service = await TestService.start({ signsIn: true, env });
    origin = service.origin;
  });
  afterAll(async () => {
    await service.stop();
    await proxy.close();
  });

  it.each(['refuse', 'stall'] as const)(
    'asks programs and people to try again, and loses nothing (%s)',
    async (fault) => {
      await throughFault(origin, { begin: async () => proxy[fault](), end: async () => proxy.heal() });
    },
  );
});
