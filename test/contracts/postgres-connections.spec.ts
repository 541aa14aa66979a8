import { sql } from 'kysely';
import { DatabaseUnavailable } from '../../src/platform/database/database.errors.js';
import type { Database } from '../../src/platform/database/database.js';
import { openPostgres } from '../../src/platform/database/open-database.js';
import { ControlClient, openPostgresPool } from '../../src/platform/database/postgres-pool.js';
import { PgBouncer } from '../harness/pgbouncer.js';
import { TcpProxy } from '../faults/tcp-proxy.js';
import { describeOnNewPostgres } from '../support/postgres.js';
import { describeWith } from '../support/left-out.js';
import { until } from '../support/until.js';

const LIMITS = { statementMs: 500, lockMs: 200, idleTransactionMs: 300 };

describeOnNewPostgres('connections to PostgreSQL', (server) => {
  let proxy: TcpProxy;
  let database: Database;
  let bystander: Database;

  beforeAll(async () => {
    proxy = await TcpProxy.before(new URL(server.url));
    bystander = await openPostgres(server.url);
  });
  afterAll(async () => {
    await bystander.destroy();
    await proxy.close();
  });
  beforeEach(async () => {
    database = await openPostgres(proxy.through(new URL(server.url)).href, { limits: LIMITS });
  });
  afterEach(async () => {
    proxy.heal();
    proxy.rewrite = (answer) => answer;
    await database.destroy();
  });

  it('are refused at the start with the reason of PostgreSQL, and what to do', async () => {
    const url = new URL(server.url);
    url.pathname = '/nowhere';
    await expect(openPostgres(url.href)).rejects.toThrow(
      `${url.host}/nowhere can't be used (3D000: database "nowhere" does not exist): PostgreSQL has no such database`,
    );
  });

  const answer = async () => (await sql<{ n: number }>`select 1 as n`.execute(database)).rows;
  const pidOf = async (db: Pick<Database, 'getExecutor'>) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
  const asleep = async () =>
    (
      await sql<{ n: number }>`select cast(count(*) as integer) as n from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'`.execute(bystander)
    ).rows[0]?.n;
  const saveFact = (db: Pick<Database, 'insertInto'>, name: string) =>
    db.insertInto('facts').values({ name, value: '', updated_at: '' }).execute();
  const facts = async () =>
    (await bystander.selectFrom('facts').select('name').orderBy('name').execute()).map((r) => r.name);

  it('that the server ends in a transaction fail that transaction, and nothing else', async () => {
    const ended = database.transaction().execute(async (transaction) => {
      await saveFact(transaction, 'lost');
      await sql`select pg_terminate_backend(${await pidOf(transaction)})`.execute(bystander);
      await new Promise((wake) => setTimeout(wake, 50));
      await saveFact(transaction, 'lost, too');
    });
    await expect(ended).rejects.toThrow(DatabaseUnavailable);
    expect(await answer()).toEqual([{ n: 1 }]);
    expect(await facts()).toEqual([]);
  });

  it('that the server ends in the middle of a statement say so', async () => {
    const sleeping = database.connection().execute(async (connection) => {
      const pid = await pidOf(connection);
      const end = async () => {
        await until(async () => (await asleep()) === 1);
        await sql`select pg_terminate_backend(${pid})`.execute(bystander);
      };
      await Promise.all([sql`select pg_sleep(10)`.execute(connection), end()]);
    });
    await expect(sleeping).rejects.toThrow(DatabaseUnavailable);
    expect(await answer()).toEqual([{ n: 1 }]);
  });

  it('that the network cuts fail who uses them with one clear word, and are replaced', async () => {
    const patient = await openPostgres(proxy.through(new URL(server.url)).href);
    const transactions = Array.from({ length: 10 }, (_, number) =>
      patient.transaction().execute(async (transaction) => {
        await saveFact(transaction, `cut ${number}`);
        await sql`select pg_sleep(10)`.execute(transaction);
      }),
    );
    const ended = Promise.allSettled(transactions);
    await until(async () => (await asleep()) === 10);
    proxy.reset();
    for (const outcome of await ended) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) as unknown });
    }
    expect((await sql<{ n: number }>`select 1 as n`.execute(patient)).rows).toEqual([{ n: 1 }]);
    await patient.destroy();
    expect(await facts()).toEqual([]);
  });

  it('that stall are given up, and the others wait no longer than they must', async () => {
    await answer();
    proxy.stall();
    const outcomes = await Promise.allSettled(Array.from({ length: 15 }, () => answer()));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) as unknown });
    }
    proxy.heal();
    expect(await answer()).toEqual([{ n: 1 }]);
  });

  it('are shared by those who ask, where PostgreSQL accepts fewer than there may be', async () => {
    const limited = new URL(server.url);
    limited.username = `limited_${limited.pathname.slice(1)}`;
    limited.password = 'a-password';
    await sql`create role ${sql.id(limited.username)} login password 'a-password' connection limit 3`.execute(
      bystander,
    );
    const pool = openPostgresPool({ connectionString: limited.href }, LIMITS);
    const served: number[] = [];
    const asked = Array.from({ length: 30 }, async (_, number) => {
      const client = await pool.connect();
      await client.query('select pg_sleep(0.01)', []);
      served.push(number);
      client.release();
    });
    await Promise.all(asked);
    expect(served).toHaveLength(30);
    await pool.end();
    await sql`drop role ${sql.id(limited.username)}`.execute(bystander);
  });

  describeWith('pgbouncer', 'through PgBouncer', (program) => {
    it('are shared by those who ask, where it has fewer than there may be', async () => {
      const settings = { pool_mode: 'session', default_pool_size: 3 };
      const bouncer = await PgBouncer.start(program, server.url, settings);
      const url = new URL(server.url);
      url.port = String(bouncer.port);
      const pool = openPostgresPool({ connectionString: url.href }, LIMITS);
      const asked = Array.from({ length: 30 }, async () => {
        for (let time = 0; time < 20; time += 1) {
          const client = await pool.connect();
          await client.query('select pg_sleep(0.01)', []);
          client.release();
        }
      });
      await Promise.all(asked);
      await pool.end();
      await bouncer.stop();
    });
  });

  it('that are refused say so, and work again when they are not', async () => {
    proxy.refuse();
    await expect(answer()).rejects.toThrow(DatabaseUnavailable);
    proxy.heal();
    expect(await answer()).toEqual([{ n: 1 }]);
  });

  it('cancel a statement that takes too long, and are used again', async () => {
    const pids = await database.connection().execute(async (connection) => {
      const before = await pidOf(connection);
      await expect(sql`select pg_sleep(10)`.execute(connection)).rejects.toThrow(/took too long/);
      return [before, await pidOf(connection)];
    });
    expect(pids[1]).toBe(pids[0]);
  });

  it('for cancelling a statement may break', async () => {
    const control = new ControlClient({ connectionString: proxy.through(new URL(server.url)).href });
    await control.connect();
    const ended = new Promise((resolve) => control.once('end', resolve));
    const asked = expect(control.query('select pg_sleep(10)')).rejects.toThrow();
    await until(async () => (await asleep()) === 1);
    proxy.reset();
    await asked;
    await ended;
  });

  it('to a standby are replaced, because the next one may reach the primary', async () => {
    const makeReadOnly = (isOn: boolean) =>
      sql`alter database ${sql.id(new URL(server.url).pathname.slice(1))}
        set default_transaction_read_only = ${sql.raw(String(isOn))}`.execute(bystander);
    const pool = openPostgresPool({ connectionString: server.url }, LIMITS);
    const write = async () => {
      const client = await pool.connect();
      await client.query("update facts set value = ''", []).finally(() => client.release());
    };
    await makeReadOnly(true);
    // The connection stays as it was opened, like one to a standby.
    await expect(write()).rejects.toMatchObject({ code: '25006' });
    await makeReadOnly(false);
    await write();
    await pool.end();
  });

  it('are used again after the refusal of a statement, whatever language PostgreSQL speaks', async () => {
    proxy.rewrite = (answer) => Buffer.from(answer.toString('latin1').replaceAll('SERROR\0', 'SFALLO\0'), 'latin1');
    const pids = await database.connection().execute(async (connection) => {
      const before = await pidOf(connection);
      await expect(sql`select 1 / 0`.execute(connection)).rejects.toMatchObject({ severity: 'FALLO', code: '22012' });
      return [before, await pidOf(connection)];
    });
    expect(pids[0]).toBe(pids[1]);
  });

  it('do not wait for ever for what others have locked', async () => {
    await bystander.transaction().execute(async (transaction) => {
      await sql`lock table facts`.execute(transaction);
      await expect(saveFact(database, 'locked out')).rejects.toThrow(/holds a lock/);
    });
    expect(await facts()).toEqual([]);
  });

  it('end a transaction in which nothing is done', async () => {
    const idle = database.transaction().execute(async (transaction) => {
      await saveFact(transaction, 'idle');
      await new Promise((wake) => setTimeout(wake, 1_000));
      await saveFact(transaction, 'late');
    });
    await expect(idle).rejects.toThrow(DatabaseUnavailable);
    expect(await facts()).toEqual([]);
  });
});
