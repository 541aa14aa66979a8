import { Kysely, PostgresDialect } from 'kysely';
import { type CustomTypesConfig, Pool, types as pgTypes } from 'pg';
import type { Environment } from '../config/environment.js';
import { NodeSqliteDialect } from '#kysely-node-sqlite';
import type { Database } from './database.js';
import { prepareDataFolder } from './data-folder.js';
import { DatabaseUnreachable } from './database.errors.js';
import { ExplainedDialect } from './explained.dialect.js';
import { migrate } from './migrations.js';
import type { Tables } from './tables.js';

/** Opens the database that the environment names. @throws DatabaseUnreachable, DataDirNotWritable, SchemaTooNew */
export function openDatabase({ DATABASE_URL, DATA_DIR }: Environment): Promise<Database> {
  return DATABASE_URL === null ? openEmbeddedDatabase(DATA_DIR) : openPostgres(DATABASE_URL);
}

/** Opens the embedded database of a data folder, created on first use. @throws DataDirNotWritable, SchemaTooNew */
export async function openEmbeddedDatabase(dataDir: string): Promise<Database> {
  return openSqlite(prepareDataFolder(dataDir));
}

/** @param path a file, or `:memory:` */
export function openSqlite(path: string): Promise<Database> {
  return migrated(new Kysely<Tables>({ dialect: new ExplainedDialect(new NodeSqliteDialect(path)) }));
}

/** @param url `postgres://user:password@host:port/name` @throws DatabaseUnreachable, SchemaTooNew */
export async function openPostgres(url: string): Promise<Database> {
  const pool = new Pool({ connectionString: url, max: POOL_SIZE, connectionTimeoutMillis: CONNECT_MS, types: TYPES });
  // A connection that breaks while idle is replaced by the next query; unheard, the event would end the process.
  pool.on('error', () => {});
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    throw new DatabaseUnreachable(url, reasonOf(error));
  }
  return migrated(new Kysely<Tables>({ dialect: new ExplainedDialect(new PostgresDialect({ pool })) }));
}

const POOL_SIZE = 10;
const CONNECT_MS = 5_000;
const BIGINT_OID = 20;

/** Our big integers are counts and sequence numbers, far below 2^53. */
const TYPES: CustomTypesConfig = {
  getTypeParser: (oid: number, format) => (oid === BIGINT_OID ? Number : pgTypes.getTypeParser(oid, format)) as never,
};

async function migrated(database: Database): Promise<Database> {
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

function reasonOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}
