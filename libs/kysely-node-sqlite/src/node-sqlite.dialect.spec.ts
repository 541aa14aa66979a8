import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Generated, Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { NodeSqliteDialect, type NodeSqliteOptions } from '#kysely-node-sqlite';
import { NodeSqliteDatabase } from './node-sqlite.database.js';

interface Tables {
  things: { id: Generated<number>; value: unknown };
}

const open = (path = ':memory:', options: NodeSqliteOptions = {}) =>
  new Kysely<Tables>({ dialect: new NodeSqliteDialect(path, options) });

async function withThings(options: NodeSqliteOptions = {}) {
  const db = open(':memory:', options);
  await db.schema
    .createTable('things')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('value', 'blob')
    .execute();
  return db;
}

const pragma = async (db: Kysely<Tables>, name: string): Promise<unknown> => {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.raw(`pragma_${name}`)}`.execute(db);
  return Object.values(rows[0] ?? {})[0];
};

describe('NodeSqliteDialect', () => {
  it.each([
    ['a boolean', true, 1],
    ['a date', new Date('2026-01-02T03:04:05Z'), '2026-01-02T03:04:05.000Z'],
    ['an object', { a: 1 }, '{"a":1}'],
    ['an array', ['a'], '["a"]'],
    ['undefined', undefined, null],
    ['null', null, null],
    ['a text', 'x', 'x'],
  ])('stores %s, also as the first parameter', async (_name, value, stored) => {
    const db = await withThings();
    await sql`insert into things (value) values (${value})`.execute(db);
    expect(await db.selectFrom('things').select('value').executeTakeFirst()).toEqual({ value: stored });
  });

  it('stores bytes, and refuses values that SQLite has no type for', async () => {
    const db = await withThings();
    await db
      .insertInto('things')
      .values({ value: Buffer.from('abc') })
      .execute();
    const row = await db.selectFrom('things').select('value').executeTakeFirstOrThrow();
    expect(Buffer.from(row.value as Uint8Array).toString()).toBe('abc');
    await expect(
      db
        .insertInto('things')
        .values({ value: Symbol('x') })
        .execute(),
    ).rejects.toThrow('symbol');
  });

  it('returns inserted ids, numbers of changed rows, and returned rows', async () => {
    const db = await withThings();
    const inserted = await db.insertInto('things').values({ value: 'a' }).executeTakeFirst();
    const updated = await db.updateTable('things').set({ value: 'b' }).executeTakeFirst();
    const returned = await db.deleteFrom('things').returning('value').execute();
    expect([inserted.insertId, updated.numUpdatedRows, returned]).toEqual([1n, 1n, [{ value: 'b' }]]);
  });

  it('continues to iterate rows while the same statement runs again', () => {
    const db = new NodeSqliteDatabase(':memory:');
    const query = "select value from json_each('[1,2,3]')";
    const seen: unknown[] = [];
    for (const row of db.iterate(query, [])) seen.push(row, db.execute(query, []).rows.length);
    expect(seen).toEqual([{ value: 1 }, 3, { value: 2 }, 3, { value: 3 }, 3]);
  });

  it('streams rows', async () => {
    const db = await withThings();
    await db
      .insertInto('things')
      .values([{ value: 'a' }, { value: 'b' }])
      .execute();
    const seen: unknown[] = [];
    for await (const row of db.selectFrom('things').select('value').stream()) seen.push(row.value);
    expect(seen).toEqual(['a', 'b']);
  });

  it('keeps a bounded number of prepared statements', async () => {
    const db = await withThings();
    for (let i = 0; i < 600; i++) await sql.raw(`select ${i} as n`).execute(db);
    expect((await sql<{ n: number }>`select 7 as n`.execute(db)).rows).toEqual([{ n: 7 }]);
  });

  it('undoes the tables of a migration that fails', async () => {
    const db = open();
    const broken = async (trx: Kysely<unknown>) => {
      await trx.schema.createTable('half').addColumn('id', 'integer').execute();
      throw new Error('no');
    };
    const provider = { getMigrations: async () => ({ '0001': { up: broken } }) };
    const { error } = await new Migrator({ db, provider }).migrateToLatest();
    expect(error).toEqual(new Error('no'));
    expect((await db.introspection.getTables()).map((table) => table.name)).toEqual([]);
  });

  it('rolls back a transaction', async () => {
    const db = await withThings();
    const failing = db.transaction().execute(async (trx) => {
      await trx.insertInto('things').values({ value: 'a' }).execute();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await db.selectFrom('things').selectAll().execute()).toEqual([]);
  });

  it('reports why a transaction failed that SQLite itself rolled back', async () => {
    const db = await withThings();
    await sql.raw('pragma max_page_count = 3').execute(db);
    const filling = db.transaction().execute((trx) =>
      trx
        .insertInto('things')
        .values({ value: 'a'.repeat(1e5) })
        .execute(),
    );
    await expect(filling).rejects.toThrow('database or disk is full');
    await db.insertInto('things').values({ value: 'small' }).execute();
    expect(await db.selectFrom('things').select('value').execute()).toEqual([{ value: 'small' }]);
  });

  it('opens a file in WAL mode, with foreign keys and journals of statements in memory, and never waits for a lock inside SQLite', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'kysely-node-sqlite-'));
    const db = open(join(directory, 'test.db'));
    expect(await pragma(db, 'journal_mode')).toBe('wal');
    expect(await pragma(db, 'synchronous')).toBe(1);
    expect(await pragma(db, 'foreign_keys')).toBe(1);
    expect(await pragma(db, 'busy_timeout')).toBe(0);
    expect(await pragma(db, 'temp_store')).toBe(2); // in memory
    await db.destroy();
    rmSync(directory, { recursive: true });
  });

  it('writes little of a table and of its index when one row is added', () => {
    const directory = mkdtempSync(join(tmpdir(), 'kysely-node-sqlite-'));
    const db = new NodeSqliteDatabase(join(directory, 'test.db'));
    db.execute('create table things (id integer primary key, value text unique)', []);
    const logSize = () => statSync(join(directory, 'test.db-wal')).size;
    const before = logSize();
    db.execute("insert into things (value) values ('x')", []);
    expect(logSize() - before).toBeGreaterThan(0);
    expect(logSize() - before).toBeLessThan(5_000); // two pages, each with a header
    db.close();
    rmSync(directory, { recursive: true });
  });

  // On other systems a process cannot list its open files; the setting itself is tested above.
  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('opens no file for what a statement would put back if it failed', () => {
    const directory = mkdtempSync(join(tmpdir(), 'kysely-node-sqlite-'));
    const db = new NodeSqliteDatabase(join(directory, 'test.db'));
    const openFiles = () => readdirSync('/proc/self/fd').flatMap((fd) => linkOf(`/proc/self/fd/${fd}`));
    db.execute('create table things (id integer primary key, value text unique)', []);
    db.execute(
      `insert into things (value) with recursive numbers as (select 1 as n union all select n + 1 from numbers limit 500)
       select printf('%d %.2000c', n, 'x') from numbers`,
      [],
    );
    db.execute('begin', []);
    db.execute("update things set value = value || 'y'", []);
    expect(openFiles().filter((file) => file.includes('test.db'))).not.toEqual([]);
    expect(openFiles().filter((file) => file.includes('etilqs'))).toEqual([]);
    db.rollBack();
    db.close();
    rmSync(directory, { recursive: true });
  });
});

function linkOf(path: string): string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    return []; // it was closed in the meantime
  }
}
