import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import type { DialectName } from '../sql/dialect.js';
import type { Database } from './database.js';
import { connectPostgres, connectSqlite, openSqlite } from './open-database.js';
import { newPostgresDatabase } from './postgres.testing.js';

export { newPostgresDatabase } from './postgres.testing.js';

let migrated: Promise<Uint8Array> | undefined;

/** Opens a new, migrated database in memory. Migrating costs 20 ms of CPU, a copy of a migrated one 1. */
export async function memoryDatabase(): Promise<Database> {
  migrated ??= migratedContents();
  return connectSqlite(':memory:', { contents: await migrated });
}

async function migratedContents(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'migrated-'));
  const database = await openSqlite(':memory:');
  try {
    const path = join(folder, 'migrated.db');
    await sql`vacuum into ${path}`.execute(database);
    return await readFile(path);
  } finally {
    await database.destroy();
    await rm(folder, { recursive: true });
  }
}

/**
 * Runs tests on each database: on SQLite in memory, and on PostgreSQL when the test run has started one (`TEST_POSTGRES_URL`).
 * `open` returns an empty, migrated database, which is closed after the test.
 */
export function describeEachDatabase(
  title: string,
  tests: (open: () => Promise<Database>, dialect: DialectName) => void,
): void {
  const postgresUrl = process.env['TEST_POSTGRES_URL'];
  const openers: [DialectName, () => Promise<OpenDatabase>][] = [
    ['sqlite', async () => openedSqlite()],
    ...(postgresUrl === undefined
      ? []
      : [['postgres', () => openedPostgres(postgresUrl)] as [DialectName, () => Promise<OpenDatabase>]]),
  ];
  describe.each(openers)(`${title} on %s`, (dialect, openOne) => {
    const opened: OpenDatabase[] = [];
    afterEach(async () => {
      for (const { close } of opened.splice(0)) await close();
    });
    const open = async () => {
      const one = await openOne();
      opened.push(one);
      return one.database;
    };
    tests(open, dialect);
  });
}

interface OpenDatabase {
  database: Database;
  close: () => Promise<void>;
}

async function openedSqlite(): Promise<OpenDatabase> {
  const database = await memoryDatabase();
  return { database, close: () => database.destroy() };
}

async function openedPostgres(serverUrl: string): Promise<OpenDatabase> {
  const { url, drop } = await newPostgresDatabase(serverUrl);
  const database = connectPostgres(url);
  return {
    database,
    close: async () => {
      await database.destroy();
      await drop();
    },
  };
}

/** Returns the whole contents of a database, as JSON: bytes as the text that they are, or that they are compressed from. */
export async function everythingIn(database: Database): Promise<string> {
  const tables = await database.introspection.getTables();
  const all = tables.map(({ name }) =>
    sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(database),
  );
  return JSON.stringify((await Promise.all(all)).map(({ rows }) => rows.map(readable)));
}

function readable(row: Record<string, unknown>): Record<string, unknown> {
  const columns = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? textIn(value) : value,
  ]);
  return Object.fromEntries(columns) as Record<string, unknown>;
}

function textIn(bytes: Uint8Array): string {
  try {
    return zstdDecompressSync(bytes).toString();
  } catch {
    return Buffer.from(bytes).toString();
  }
}
