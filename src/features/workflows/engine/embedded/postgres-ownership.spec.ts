import { sql } from 'kysely';
import { Client } from 'pg';
import { describeOnPostgres } from '../../../../../test/support/postgres.js';
import { openPostgres } from '../../../../platform/database/open-database.js';
import { newPostgresDatabase } from '../../../../platform/database/testing.js';
import { PARTITIONS } from '../../runs/execution/claimed-run.js';
import { at, WrittenPrograms } from '../testing.js';
import type { Executions } from './ownership.js';
import { PostgresOwnership } from './postgres-ownership.js';
import { engineOn } from './testing.js';

const NONE: Executions = { areIn: () => false, settle: async () => true };

describeOnPostgres('replicas on one PostgreSQL', (serverUrl) => {
  const opened: { close: () => Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const { close } of opened.splice(0).reverse()) await close();
  });

  const newDatabase = async () => {
    const { url, drop } = await newPostgresDatabase(serverUrl);
    opened.push({ close: drop });
    return url;
  };

  const replica = (url: string) => {
    const ownership = new PostgresOwnership(url);
    opened.push({ close: () => ownership.close() });
    return ownership;
  };

  const settleAll = async (replicas: PostgresOwnership[]) => {
    for (let round = 0; round < 3; round++) for (const one of replicas) await one.refresh(NONE);
  };

  it('own every partition once, in equal shares', async () => {
    const url = await newDatabase();
    const [first, second, third] = [replica(url), replica(url), replica(url)];
    await first.refresh(NONE);
    expect(first.owned()).toHaveLength(PARTITIONS);
    await settleAll([first, second, third]);
    const owned = [first, second, third].map((one) => one.owned());
    expect(owned.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: PARTITIONS }, (_, n) => n));
    for (const { length } of owned) expect(Math.abs(length - PARTITIONS / 3)).toBeLessThan(2);
  });

  it('leave the partitions of a service in another schema alone', async () => {
    const url = await newDatabase();
    const second = new URL(url);
    second.searchParams.set('options', '-c search_path=second');
    const database = await openPostgres(url);
    await sql`create schema second`.execute(database);
    opened.push({ close: () => sql`drop schema second cascade`.execute(database).finally(() => database.destroy()) });
    await (await openPostgres(second.href)).destroy();
    const services = [replica(url), replica(second.href)];
    await settleAll(services);
    expect(services.map((one) => one.owned().length)).toEqual([PARTITIONS, PARTITIONS]);
  });

  it('keep partitions with executions under way, and take over what a replica leaves', async () => {
    const url = await newDatabase();
    const [first, second] = [replica(url), replica(url)];
    await first.refresh(NONE);
    await second.refresh(NONE);
    await first.refresh({ ...NONE, areIn: () => true });
    expect(first.owned()).toHaveLength(PARTITIONS);
    expect(PARTITIONS).toBeGreaterThan(second.owned().length);
    await first.close();
    await second.refresh(NONE);
    expect(second.owned()).toHaveLength(PARTITIONS);
  });

  it('give nothing up while a run of it is being claimed, and claim none meanwhile', async () => {
    const url = await newDatabase();
    const [first, second] = [replica(url), replica(url)];
    await first.refresh(NONE);
    await second.refresh(NONE);
    let given: number[] = [];
    await first.refresh({
      areIn: (partition) => given.includes(partition),
      settle: async () => {
        const owned = new Set(first.owned());
        given = Array.from({ length: PARTITIONS }, (_, n) => n).filter((partition) => !owned.has(partition));
        expect(owned.size).toBe(PARTITIONS / 2);
        await second.refresh(NONE);
        expect(second.owned()).toEqual([]);
        return true;
      },
    });
    expect(first.owned()).toHaveLength(PARTITIONS);
    await first.refresh({ ...NONE, settle: async () => false });
    expect(first.owned()).toHaveLength(PARTITIONS);
    await settleAll([first, second]);
    expect([first.owned(), second.owned()].map(({ length }) => length)).toEqual([PARTITIONS / 2, PARTITIONS / 2]);
  });

  it('lose everything with the connection, report it, and start again', async () => {
    const url = await newDatabase();
    const ownership = replica(url);
    let lost = 0;
    ownership.onLost(() => (lost += 1));
    await ownership.refresh(NONE);
    const admin = new Client({ connectionString: url });
    await admin.connect();
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'agent-service runs' and datname = current_database()",
    );
    while (lost === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(ownership.owned()).toEqual([]);
    await ownership.refresh(NONE);
    expect(ownership.owned()).toHaveLength(PARTITIONS);
    await admin.end();
  });

  it('own nothing on a standby, because the primary does not know its locks', async () => {
    const url = await newDatabase();
    const ownership = replica(url);
    const admin = new Client({ connectionString: url });
    await admin.connect();
    opened.push({ close: () => admin.end() });
    const makeReadOnly = (isOn: boolean) =>
      admin.query(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = ${isOn}`);
    await makeReadOnly(true);
    await ownership.refresh(NONE);
    expect(ownership.owned()).toEqual([]);
    await makeReadOnly(false);
    await ownership.refresh(NONE);
    expect(ownership.owned()).toHaveLength(PARTITIONS);
  });

  it('execute runs of another replica when it is gone, and never a finished step again', async () => {
    const url = await newDatabase();
    const done: string[] = [];
    const programs = new WrittenPrograms({
      slow: async (steps, run) => {
        for (const name of ['a', 'b', 'c']) {
          await steps.effect(at(name), null, async () => {
            done.push(`${run.id} ${name}`);
            return name;
          });
          await steps.sleep(at(`${name}/nap`), () => 30);
        }
        return 'done';
      },
    });
    const open = async () => {
      const database = await openPostgres(url);
      opened.push({ close: () => database.destroy() });
      const world = await engineOn(database, programs, replica(url));
      await world.engine.onApplicationBootstrap();
      return { ...world, database };
    };
    const [first, second] = [await open(), await open()];
    const start = () =>
      first.runs.start({
        program: 'workflow',
        name: 'slow',
        version: '1',
        input: {},
        origin: 'call',
        client: { name: 'ada', groups: [] },
        idempotencyKey: null,
        isTest: false,
      });
    const runs = await Promise.all(Array.from({ length: 20 }, start));
    await first.engine.beforeApplicationShutdown();
    await second.engine.tick();
    for (const { id } of runs) {
      const followed = await second.runs.follow(id, { timeoutMs: 100_000, signal: new AbortController().signal });
      expect(followed).toMatchObject({ status: 'completed', output: 'done' });
    }
    expect(done).toHaveLength(60);
    expect(new Set(done).size).toBe(60);
    const { rows } = await sql<{ open: number }>`
      select count(*)::int as open from workflow_runs where ended_at is null`.execute(second.database);
    expect(rows).toEqual([{ open: 0 }]);
    await second.engine.beforeApplicationShutdown();
  });
});
