import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Client } from 'pg';
import type { Database } from '../../src/platform/database/database.js';
import { openPostgres } from '../../src/platform/database/open-database.js';
import { PgBouncer } from '../harness/pgbouncer.js';
import { describeWith } from '../support/left-out.js';
import { describeOnPostgres } from '../support/postgres.js';

describeOnPostgres('a start on PostgreSQL', (serverUrl) => {
  let server: Database;
  let name: string;
  beforeAll(async () => void (server = await openPostgres(serverUrl)));
  beforeEach(() => void (name = `start_${randomBytes(4).toString('hex')}`));
  afterEach(async () => {
    await sql.raw(`drop database if exists ${name}`).execute(server);
    await sql.raw(`drop role if exists ${name}`).execute(server);
  });
  afterAll(() => server.destroy());

  const create = (options = '') =>
    sql.raw(`create database ${name} template template0 lc_collate 'C' lc_ctype 'C' ${options}`).execute(server);
  const url = (change: Partial<URL> = {}) =>
    Object.assign(new URL(serverUrl), { pathname: `/${name}`, ...change }).href;
  const open = (change?: Partial<URL>) => openPostgres(url(change));
  const execute = async (statement: string) => {
    const client = new Client(url());
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  const start = async (change?: Partial<URL>) => (await open(change)).destroy();

  it.each(['LATIN1', 'SQL_ASCII'])('refuses the encoding %s, which cannot hold every text', async (encoding) => {
    await create(`encoding '${encoding}'`);
    await expect(start()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(new RegExp(`/${name} has the encoding ${encoding}: .*UTF8`)) as string,
    });
  });

  it('says which rights a user lacks', async () => {
    await create();
    await sql.raw(`create role ${name} login password 'secret'`).execute(server);
    await expect(start({ username: name, password: 'secret' })).rejects.toThrow(
      /^the database could not be brought up to date: PostgreSQL denies the user of DATABASE_URL a right: make it the owner/,
    );
  });

  it('needs one connection', async () => {
    await sql.raw(`create role ${name} login password 'secret' connection limit 1`).execute(server);
    await create(`owner ${name}`);
    await start({ username: name, password: 'secret' });
  });

  it('says that the search path names no schema', async () => {
    await create();
    await sql.raw(`alter database ${name} set search_path = nowhere`).execute(server);
    await expect(start()).rejects.toThrow(/search_path/);
  });

  it('says that tables of another program are in the way', async () => {
    await create();
    await execute('create table settings (id integer)');
    await expect(start()).rejects.toThrow(/settings.*already exists.*DATABASE_URL/);
  });

  it('makes its tables in the schema of the search path, also when another one has them already', async () => {
    await create();
    await start();
    await execute('create schema "The-second"');
    const search = '?options=-c%20search_path%3D%22The-second%22';
    await start({ search });
    const database = await open({ search });
    const { rows } = await sql<{ schema: string }>`select schemaname as schema from pg_tables
      where tablename in ('settings', 'kysely_migration') order by schemaname collate "C"`.execute(database);
    await database.destroy();
    expect(rows.map(({ schema }) => schema)).toEqual(['The-second', 'The-second', 'public', 'public']);
  });

  it('has the limits of the service, whatever the database sets for other programs', async () => {
    await create();
    for (const limit of [
      'statement_timeout = 20000',
      'lock_timeout = 20000',
      'idle_in_transaction_session_timeout = 20000',
      "default_transaction_isolation = 'serializable'",
    ])
      await sql.raw(`alter database ${name} set ${limit}`).execute(server);
    const database = await open();
    const { rows } =
      await sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle,
      current_setting('transaction_isolation') as isolation`.execute(database);
    await database.destroy();
    expect(rows).toEqual([{ statement: '0', lock: '0', idle: '0', isolation: 'read committed' }]);
  });

  describeWith('pgbouncer', 'through PgBouncer', (program) => {
    const startThrough = async (settings: Record<string, string | number>) => {
      await create();
      const bouncer = await PgBouncer.start(program, serverUrl, settings);
      try {
        await start({ port: String(bouncer.port) });
      } finally {
        await bouncer.stop();
      }
    };

    it.each([1, 10])('refuses sessions that clients share, of which there are at most %d', async (most) => {
      const started = startThrough({ pool_mode: 'transaction', default_pool_size: most });
      await expect(started).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringMatching(
          new RegExp(`/${name} is a connection pooler that shares .*pool_mode = session`),
        ) as string,
      });
    });

    it('starts when each client has a session of its own', () => startThrough({ pool_mode: 'session' }));
  });
});
