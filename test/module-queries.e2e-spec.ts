import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { Client } from 'pg';
import { readOnlyQuery } from '../src/features/modules/calls/read-only-query.js';
import { TcpProxy } from './faults/tcp-proxy.js';
import { describeOnNewPostgres } from './support/postgres.js';
import type { TestService } from './support/service.js';
import { skillsServiceForSuite } from './support/skills-service.js';
import { until } from './support/until.js';

describeOnNewPostgres('what modules read from databases', (database) => {
  let client: Client;
  beforeAll(async () => {
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(`create schema shop; create sequence shop.numbers; create table shop.orders (id int, item text);
      insert into shop.orders values (1, 'tea'), (2, 'cake'), (3, null)`);
  });
  afterAll(async () => {
    await client.query('drop schema shop cascade');
    await client.end();
  });
  const query = (
    sql: string,
    parameters: (string | number | boolean | null)[] = [],
    signal = AbortSignal.timeout(60_000),
  ) => readOnlyQuery(database.url, { sql, parameters }, signal);

  it('are rows, with values as JSON has them', async () => {
    expect(await query('select id, item from shop.orders where id >= $1 order by id;', [2])).toEqual({
      columns: ['id', 'item'],
      rows: [
        [2, 'cake'],
        [3, null],
      ],
      isCut: false,
    });
    const { rows } =
      await query(`select true, 9007199254740991::bigint, 9007199254740993::bigint, 1.50::numeric, 'NaN'::float8,
      0.5::float4, '{"a":[1]}'::jsonb, timestamptz '2026-01-02 03:04:05+00' at time zone 'UTC', array[1, 2], '\\x01'::bytea`);
    expect(rows).toEqual([
      [
        true,
        9_007_199_254_740_991,
        '9007199254740993',
        '1.50',
        'NaN',
        0.5,
        { a: [1] },
        '2026-01-02 03:04:05',
        '{1,2}',
        '\\x01',
      ],
    ]);
    expect(await query('select 1 as a, 2 as a where false')).toEqual({ columns: ['a', 'a'], rows: [], isCut: false });
    expect((await query('values ($1, $2::bool, $3::float8)', ['x', false, 1.5])).rows).toEqual([['x', false, 1.5]]);
  });

  it.each([
    "insert into shop.orders values (4, 'x')",
    'delete from shop.orders',
    'select 1; delete from shop.orders',
    'select 1; commit; delete from shop.orders',
    'with gone as (delete from shop.orders returning id) select * from gone',
    'commit',
    "select set_config('transaction_read_only', 'off', false)",
    "select nextval('shop.numbers')",
    'select * from shop.orders for update',
    'select id into shop.copied from shop.orders',
    "copy shop.orders to program 'true'",
    'explain analyze delete from shop.orders',
    'do $$ begin delete from shop.orders; end $$',
    'vacuum',
    '',
    'nonsense',
    'select $1',
    'select * from shop.nothing',
  ])('are never changed by %s', async (sql) => {
    await expect(query(sql)).rejects.toThrow('the database refused the statement: ');
    const { rows } = await client.query(
      'select (select count(*) from shop.orders) n, (select is_called from shop.numbers)',
    );
    expect(rows).toEqual([{ n: '3', is_called: false }]);
  });

  it('are unchanged, even where PostgreSQL lets a read-only statement write', async () => {
    await query('select lo_create(4711)').catch(() => undefined);
    expect((await client.query('select from pg_largeobject_metadata where oid = 4711')).rows).toEqual([]);
  });

  it('say where a mistake is', async () => {
    await expect(query('select id, itm from shop.orders')).rejects.toThrow(
      /column "itm" does not exist \(at character 12\)/,
    );
  });

  it('are bounded in number and size', async () => {
    const many = await query('select n from generate_series(1, 1000000) n');
    expect([many.rows.length, many.rows.at(-1), many.isCut]).toEqual([1_000, [1_000], true]);
    expect((await query('select n from generate_series(1, 1000) n')).isCut).toBe(false);
    const large = await query("select repeat('x', 100000) from generate_series(1, 1000)");
    expect([large.rows.length, large.isCut]).toEqual([100, true]);
    await expect(query("select repeat('x', 100000000)")).rejects.toThrow('more than 20 MB');
    await expect(query("select repeat('x', 1000000) from generate_series(1, 1000)")).rejects.toThrow('more than 20 MB');
  });

  it('keep their time limit, whatever their rows set', async () => {
    const { rows } = await query(`select case when n = 1 then set_config('statement_timeout', '0', false)
      else current_setting('statement_timeout') end from generate_series(1, 101) n`);
    expect([rows[99], rows[100]]).toEqual([['0'], ['30s']]);
  });

  it('are given up with the call, and leave no connection open', async () => {
    const controller = new AbortController();
    const waiting = query('select pg_sleep(60)', [], controller.signal);
    const ours = `pg_stat_activity where datname = current_database() and application_name = 'agent-service'`;
    const count = async (more = '') => (await client.query(`select from ${ours} ${more}`)).rows.length;
    await until(async () => (await count(`and wait_event = 'PgSleep'`)) === 1);
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(query('select 1', [], controller.signal)).rejects.toThrow('gone');
    await client.query(`select pg_terminate_backend(pid) from ${ours}`); // otherwise it would sleep until its timeout
    await query('select 1');
    await until(async () => (await count()) === 0);
  });

  it('cannot be had of what is no database, or answers nothing', async () => {
    const sockets = new Set<Socket>();
    const mute: Server = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as { port: number };
    const url = `postgresql://ada:hidden@127.0.0.1:${port}/x`;
    const ask = () => readOnlyQuery(url, { sql: 'select 1', parameters: [] }, AbortSignal.timeout(60_000));
    await expect(ask()).rejects.toThrow('the database cannot be reached (the connection ended, or took too long)');
    for (const socket of sockets) socket.destroy();
    mute.close();
    await once(mute, 'close');
    await expect(ask()).rejects.toThrow('the database cannot be reached (ECONNREFUSED)');
    const wrong = new URL(database.url);
    wrong.username = 'nobody_of_this_name';
    const refused = readOnlyQuery(wrong.href, { sql: 'select 1', parameters: [] }, AbortSignal.timeout(60_000));
    await expect(refused).rejects.toThrow(/^the database does not let the service in: .*nobody_of_this_name/);
  });

  it.each([
    ['pg_cancel_backend', 'gave the statement up (canceling statement due to user request): it may take 30 s'],
    ['pg_terminate_backend', 'does not let the service in: terminating connection due to administrator command'],
  ])('say what happened when somebody ends the statement by %s', async (end, message) => {
    const waiting = query('select pg_sleep(60)');
    const refused = expect(waiting).rejects.toThrow(message);
    const asleep = `pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    await until(async () => (await client.query(`select ${end}(pid) from ${asleep}`)).rows.length === 1);
    await refused;
  });

  it('are refused when the file of certificates is missing that their URL names', async () => {
    const read = readOnlyQuery(
      `${database.url}?sslmode=verify-full&sslrootcert=/missing/ca.pem`,
      { sql: 'select 1', parameters: [] },
      AbortSignal.timeout(60_000),
    );
    await expect(read).rejects.toThrow('the database cannot be reached (ENOENT)');
  });

  it('say that the connection was cut, and can be read by the next call', async () => {
    const proxy = await TcpProxy.before(new URL(database.url));
    const url = proxy.through(new URL(database.url)).href;
    const ask = (sql: string) => readOnlyQuery(url, { sql, parameters: [] }, AbortSignal.timeout(60_000));
    const cut = ask('select pg_sleep(60)');
    const asleep = `pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    await until(async () => (await client.query(`select from ${asleep}`)).rows.length === 1);
    proxy.reset();
    await expect(cut).rejects.toThrow('the database cannot be reached (ECONNRESET)');
    await client.query(`select pg_terminate_backend(pid) from ${asleep}`);
    expect((await ask('select 1')).rows).toEqual([[1]]);
    await proxy.close();
  });

  describe('through the service', () => {
    let service: TestService;
    skillsServiceForSuite((started) => (service = started));
    const call = (name: string, args?: object) => service.call(name, args);
    const textOf = async (name: string, args?: object) => (await call(name, args)).content[0]?.text ?? '';
    const approved = async (name: string, { version, digest }: Record<string, unknown>) => {
      expect((await service.admin('PUT', `skill-modules/${name}/approved`, { version, digest })).status).toBe(200);
      await until(async () => !(await textOf(name)).includes('There is no tool'));
    };
    const secret = (name: string, value: string, more: object = {}) =>
      service.admin('PUT', `workflow-secrets/${name}`, { value, ...more });

    it('come from the databases that a module declares, by URLs that it does not see', async () => {
      const code = `export default { name: 'reads', description: 'Reads.', input: { type: 'object' }, uses: { databases: ['shop', 'bounded', 'wrong', 'led_away', 'unclear'] },
        execute: (input, context) => context.query(input.database, input.sql === 'NUL' ? 'select 1\\0' : (input.sql ?? 'select 1'), input.parameters) };`;
      const { body } = await service.admin('POST', 'skill-modules', { file: 'reads.js', code });
      expect(body).toMatchObject({
        isWaiting: true,
        uses: { databases: ['bounded', 'led_away', 'shop', 'unclear', 'wrong'] },
      });
      await approved('reads', body);
      expect(await textOf('reads', { database: 'shop' })).toContain('the secret "shop" does not exist');
      await secret('shop', database.url, { hosts: ['127.0.0.1'] });
      await secret('bounded', database.url, { hosts: ['db.example.com'] });
      await secret('wrong', 'a password');
      await secret('led_away', `${database.url}?host=db.example.com`);
      await secret('unclear', `${database.url}?ssl=require`);
      await secret('other', database.url);
      const sql = 'select item from shop.orders where id = $1';
      expect((await call('reads', { database: 'shop', sql, parameters: [1] })).structuredContent).toEqual({
        columns: ['item'],
        rows: [['tea']],
        isCut: false,
      });
      expect(await textOf('reads', { database: 'bounded' })).toContain('may not be sent to 127.0.0.1');
      for (const name of ['wrong', 'led_away'])
        expect(await textOf('reads', { database: name })).toContain(`the secret ${name} is no URL of a database`);
      expect(await textOf('reads', { database: 'unclear' })).toContain('unknown of TLS: ssl must be one of true,');
      expect(await textOf('reads', { database: 'other' })).toContain('add it to uses.databases');
      for (const parameters of ['x', [{}], Array(101).fill(1)])
        expect(await textOf('reads', { database: 'shop', sql, parameters })).toContain('a list of at most 100');
      for (const wrong of [1, 'x'.repeat(20_001), 'NUL'])
        expect(await textOf('reads', { database: 'shop', sql: wrong })).toContain('at most 20000 characters');
    });

    it('are read ten times at once, and no more', async () => {
      await secret('shop', database.url);
      await client.query('select pg_advisory_lock(4711)');
      const read = () => textOf('reads', { database: 'shop', sql: 'select pg_advisory_lock_shared(4711)' });
      const waiting = Array.from({ length: 10 }, read);
      const count = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await until(async () => (await client.query(count)).rows.length === 10);
      expect(await read()).toContain('modules are reading 10 times from databases: try again in a moment');
      await client.query('select pg_advisory_unlock(4711)');
      for (const text of await Promise.all(waiting)) expect(text).toContain('"columns"');
      expect(await read()).toContain('"columns"');
    });

    it('are there for assistants with the sample sql', async () => {
      const { body } = await service.admin('POST', 'skill-module-samples/sql');
      expect(body).toMatchObject({ isWaiting: true, uses: { databases: ['sql_database'] } });
      const { version, digest } = body;
      expect((await service.admin('PUT', 'skill-modules/sql/approved', { version, digest })).status).toBe(200);
      await until(async () => (await textOf('sql_tables')).includes('an administrator has to set it. Tell the user.'));
      await secret('sql_database', database.url);
      expect((await call('sql_tables', { words: 'orders' })).structuredContent).toEqual({
        tables: [{ table: 'shop.orders', columns: 'id integer, item text' }],
        truncated: false,
      });
      expect((await call('sql_tables', { words: '%' })).structuredContent).toEqual({ tables: [], truncated: false });
      await service.admin('PUT', 'skill-modules/sql/settings', { values: { most_rows: 2 } });
      const sql = "select id, repeat('x', $1) from shop.orders order by id";
      await until(async () =>
        JSON.stringify((await call('sql_query', { sql, parameters: [2_001] })).structuredContent).includes('true'),
      );
      const long = `${'x'.repeat(2_000)}… (2001 characters)`;
      expect((await call('sql_query', { sql, parameters: [2_001] })).structuredContent).toEqual({
        columns: ['id', 'repeat'],
        rows: [
          [1, long],
          [2, long],
        ],
        truncated: true,
      });
      const failed = await call('sql_query', { sql: 'delete from shop.orders' });
      expect([failed.isError, failed.content[0]?.text]).toEqual([true, expect.stringContaining('Look at sql_tables')]);
    });
  });
});
