import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Client, type CustomTypesConfig, types as pgTypes } from 'pg';
import { NodeSqliteDialect, NodeSqliteReaderDialect } from '#kysely-node-sqlite';
import type { Environment } from '../environment/environment.js';
import { prepareDataFolder } from './data-folder.js';
import {
  DatabaseUnavailable,
  DatabaseUnreachable,
  EncodingNotSupported,
  SessionsShared,
  withoutPassword,
} from './database.errors.js';
import { Database } from './database.js';
import { explained } from './database-failure.rules.js';
import { ExplainedDialect, type Within } from './error-mapping.dialect.js';
import { migrate } from './migrations.js';
import { ControlClient, openPostgresPool, type PostgresLimits } from './postgres-pool.js';

export interface OpenOptions {
  /** PostgreSQL statement limits after the migration; absent = no limits. */
  limits?: PostgresLimits;
  /** Called with each failure that is not the fault of a statement. */
  onUnavailable?: (error: DatabaseUnavailable) => void;
  /** Runs each operation; absent = without a limit. */
  within?: Within;
}

/** Opens the configured database. @throws DatabaseUnreachable, DataDirNotWritable, SchemaTooNew */
export function openDatabase({ DATABASE_URL, DATA_DIR }: Environment, options: OpenOptions = {}): Promise<Database> {
  return DATABASE_URL === null ? openEmbeddedDatabase(DATA_DIR, options) : openPostgres(DATABASE_URL, options);
}

/** Opens the embedded database in a data folder; creates it on first use. @throws DataDirNotWritable, SchemaTooNew */
export async function openEmbeddedDatabase(dataDir: string, options: OpenOptions = {}): Promise<Database> {
  return openSqlite(prepareDataFolder(dataDir), options);
}

/** Opens a SQLite database and migrates its schema. @param path a file, or `:memory:` */
export async function openSqlite(path: string, options: OpenOptions = {}): Promise<Database> {
  const database = connectSqlite(path, options);
  await closingOnFailure(database, () => migrate(database));
  return database;
}

/**
 * Returns a SQLite database that may not be migrated.
 * @param options.contents what a database in memory begins with, as a file of SQLite; default: nothing
 */
export function connectSqlite(
  path: string,
  { onUnavailable, within, contents }: OpenOptions & { contents?: Uint8Array } = {},
): Database {
  const logger = new Logger('Database');
  const readers = new ExplainedDialect(new NodeSqliteReaderDialect(path), onUnavailable, within);
  const dialect = new NodeSqliteDialect(path, {
    reserveBytes: RESERVE_BYTES,
    onTrouble: (trouble) => logger.error(trouble),
    ...(contents && { contents }),
  });
  const withReserve = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await dialect.evenWhenFull(work);
    } catch (error) {
      throw explained(error);
    }
  };
  const config = { dialect: new ExplainedDialect(dialect, onUnavailable, within) };
  return path === IN_MEMORY
    ? new Database(config)
    : new Database(config, new Kysely({ dialect: readers }), withReserve);
}

/**
 * Opens a PostgreSQL database and migrates its schema.
 * @param url `postgres://user:password@host:port/name`
 * @throws DatabaseUnreachable, EncodingNotSupported, SessionsShared, SchemaTooNew
 */
export async function openPostgres(url: string, options: OpenOptions = {}): Promise<Database> {
  const { limits, ...unlimited } = options;
  const maintenance = connectPostgres(url, unlimited);
  await closingOnFailure(maintenance, async () => {
    const encoding = await logIfSlow(`Waiting for PostgreSQL at ${withoutPassword(url)}`, encodingOf(maintenance, url));
    if (encoding !== 'UTF8') throw new EncodingNotSupported(url, encoding);
    if (await sharesSessions(maintenance, url)) throw new SessionsShared(url);
    await logIfSlow('Waiting for migrations of the database, or an import into it', migrate(maintenance));
  });
  if (!limits) return maintenance;
  await maintenance.destroy();
  return connectPostgres(url, options);
}

async function encodingOf(database: Database, url: string): Promise<string> {
  const query = sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`;
  try {
    const { rows } = await query.execute(database);
    return rows[0]?.encoding ?? '';
  } catch (error) {
    throw new DatabaseUnreachable(url, reasonOf(error), refusalOf(error));
  }
}

/**
 * Returns whether a connection pooler gives a session to several clients in turn. Locks that a session holds would then have no owner:
 * two replicas could execute the same run, or none. False also when there is only one connection to be had.
 */
async function sharesSessions(database: Database, url: string): Promise<boolean> {
  const mark = randomUUID();
  const read = sql<{ mark: string | null }>`select current_setting('agent_service.mark', true) as mark`;
  const other = new Client({ connectionString: url, connectionTimeoutMillis: OTHER_MS, query_timeout: OTHER_MS });
  other.on('error', () => undefined); // its queries throw the error, too
  return database.connection().execute(async (one) => {
    await sql`select set_config('agent_service.mark', ${mark}, false)`.execute(one);
    try {
      await other.connect();
    } catch {
      return false;
    }
    try {
      // While the other one has a session, a pooler gives the first one another.
      await other.query('begin');
      const { rows } = await other.query<{ mark: string | null }>(read.compile(one).sql);
      return rows[0]?.mark === mark || (await read.execute(one)).rows[0]?.mark !== mark;
    } catch (error) {
      throw explained(error);
    } finally {
      await other.end().catch(() => undefined);
    }
  });
}

/** Returns a PostgreSQL database that is not checked, and may not be migrated. */
export function connectPostgres(url: string, { limits, onUnavailable, within }: OpenOptions = {}): Database {
  const pool = openPostgresPool({ connectionString: url, types: TYPES }, limits);
  const postgres = new PostgresDialect({ pool, controlClient: ControlClient });
  const onAnswerLost = () => database.onAnswerLost();
  const database = new Database({ dialect: new ExplainedDialect(postgres, onUnavailable, within, onAnswerLost) });
  return database;
}

/** Limits for the running service, so that every request gets a response even if PostgreSQL stalls. */
export const SERVING: PostgresLimits = { statementMs: 8_000, lockMs: 5_000, idleTransactionMs: 10_000 };

const LONG_MS = 1_000;
/** Time limit for connecting a second time, and for its statements. */
const OTHER_MS = 10_000;
/** Reserved disk space: enough for a login and for deleting something large when the disk is full. */
const RESERVE_BYTES = 8 * 1024 * 1024;
const BIGINT_OID = 20;
const IN_MEMORY = ':memory:';

/** Reads big integers as numbers: ours are counts and sequence numbers, far below 2^53. */
const TYPES: CustomTypesConfig = {
  getTypeParser: (oid: number, format) => (oid === BIGINT_OID ? Number : pgTypes.getTypeParser(oid, format)) as never,
};

/** Prints what the start is waiting for when it takes longer than usual. */
async function logIfSlow<Result>(what: string, work: Promise<Result>): Promise<Result> {
  const timer = setTimeout(() => console.error(what), LONG_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

async function closingOnFailure(database: Database, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** Failures whose messages name the host, which is a part of the password when a character of it ends its host too early. */
const NAMES_HOST = new Set(['connect', 'getaddrinfo']);

/** Returns why PostgreSQL refuses, and what to do; null when it did not answer. */
function refusalOf(error: unknown): string | null {
  if (!(error instanceof DatabaseUnavailable)) return null;
  const { code } = Object(error.cause) as { code?: unknown };
  return typeof code === 'string' && SQLSTATE.test(code) ? error.problem : null;
}

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Returns the reason from the driver's own error, which `ExplainedDialect` keeps as the cause. */
function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { code, syscall = '', message = '' } = Object(cause) as Partial<NodeJS.ErrnoException>;
  if (code === undefined) return String(cause);
  if (message === '' || NAMES_HOST.has(syscall)) return code;
  return message.startsWith(code) ? message : `${code}: ${message}`;
}
