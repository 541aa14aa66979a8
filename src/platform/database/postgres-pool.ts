import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { PostgresPool } from 'kysely';
import { Client, type ClientBase, type ClientConfig, DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg';
import { ENDING_SEVERITIES } from './database-failure.rules.js';
import { PatientPool } from './patient-pool.js';

export interface PostgresLimits {
  /** How long a statement may take before the server cancels it. */
  statementMs: number;
  /** How long a statement may wait for a lock. */
  lockMs: number;
  /** How long a transaction may be idle before the server ends it. */
  idleTransactionMs: number;
}

const NO_LIMITS: PostgresLimits = { statementMs: 0, lockMs: 0, idleTransactionMs: 0 };
const CONNECT_MS = 5_000;
/** How long callers wait while no connection is released. */
const PATIENCE_MS = 5_000;
const MOST_WAITING = 20_000;
const POOL_SIZE = 10;
/**
 * The value for solid-state disks. With PostgreSQL's default for rotating disks, a search may scan the whole table of the index
 * instead of a twentieth of it through the index.
 */
const RANDOM_PAGE_COST = 1.1;
/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const TOO_MANY_CONNECTIONS = '53300';
const READ_ONLY = '25006';
/**
 * The codes of errors that end the session. Their severity says so, too, but in the language of the server (`lc_messages`); poolers,
 * which have codes of their own, write it in English.
 */
const ENDING_CODES = /^(?:08|28|3D|57P|25P03|25P04|53300)/;
/** Messages of pg. A pooler keeps a client waiting that finds no connection to the server. */
const TIMED_OUT = /connection timeout|query read timeout/i;
const LOG_EVERY_MS = 60_000;
const FAREWELL_MS = 1_000;
/** Grace period after the server should have cancelled a statement: then the server has stalled or is gone. */
const GRACE_MS = 2_000;

/**
 * Opens a pool of connections to PostgreSQL. Never reuses a connection that is broken or in an unknown state.
 * @param limits omit them for work without a time limit
 */
export function openPostgresPool(config: PoolConfig, limits?: PostgresLimits): PostgresPool {
  const broken = new WeakSet<object>();
  const pool = new Pool({
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...config,
    ...keeping(limits),
  });
  pool.on('connect', (client) => guard(client, () => broken.add(client)));
  // The next query replaces a connection that breaks while idle; without a listener, the event would end the process.
  pool.on('error', ignore);
  return new PatientPool(pool, {
    size: POOL_SIZE,
    patienceMs: PATIENCE_MS,
    mostWaiting: MOST_WAITING,
    isBroken: (client) => broken.has(client),
    isFull: reportingFullServer(),
  });
}

/** A connection for cancelling a statement of another one. */
export class ControlClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    // Its query throws the error, too; without a listener, the event would be an unhandled error.
    this.on('error', ignore);
  }
}

/** Ends a connection. A server that has stalled does not end its side of it, and is not waited for. */
export async function ended(client: Client): Promise<void> {
  const patience = new AbortController();
  const limit = sleep(FAREWELL_MS, undefined, { signal: patience.signal });
  await Promise.race([client.end(), limit]).catch(ignore);
  patience.abort();
}

/** Overrides what the administrator of the database has set for other programs. */
function keeping(limits: PostgresLimits | undefined) {
  const { statementMs, lockMs, idleTransactionMs } = limits ?? NO_LIMITS;
  const settings = [
    `random_page_cost = ${RANDOM_PAGE_COST}`,
    `statement_timeout = ${statementMs}`,
    `lock_timeout = ${lockMs}`,
    `idle_in_transaction_session_timeout = ${idleTransactionMs}`,
    `default_transaction_isolation = 'read committed'`,
  ];
  // Sent as a statement, because connection poolers reject unknown start-up parameters.
  const statement = settings.map((setting) => `set ${setting}`).join('; ');
  const onConnect = (client: ClientBase) => client.query(statement);
  return { onConnect, ...(limits && { query_timeout: limits.statementMs + GRACE_MS }) };
}

/** Closes a connection, so that it is not reused, after any error other than the refusal of a statement. */
function guard(client: PoolClient, onBroken: () => void): void {
  // The pool listens only while the connection is idle; without a listener, the event would end the process.
  client.on('error', ignore);
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
  const guarded = (...parameters: unknown[]): unknown => {
    const result = query(...parameters);
    if (result instanceof Promise) {
      result.catch((error: unknown) => {
        if (isRefusal(error)) return;
        onBroken();
        end(client);
      });
    }
    return result;
  };
  client.query = guarded as PoolClient['query'];
}

/** Returns a function that returns whether the server may have as many connections as it accepts; logs once a minute when it says so. */
function reportingFullServer(): (error: unknown) => boolean {
  const logger = new Logger('Database');
  let loggedAtMs = -Infinity;
  return (error) => {
    if (error instanceof Error && TIMED_OUT.test(error.message)) return true;
    if (!(error instanceof DatabaseError) || error.code !== TOO_MANY_CONNECTIONS) return false;
    const nowMs = performance.now();
    if (nowMs - loggedAtMs >= LOG_EVERY_MS) {
      loggedAtMs = nowMs;
      logger.warn('PostgreSQL accepts no more connections: raise its max_connections, or run fewer replicas');
    }
    return true;
  };
}

/**
 * Returns whether PostgreSQL only refused the statement. After any other error, the state of the connection is unknown, or it leads to
 * a standby, while the next one may reach the primary.
 */
const isRefusal = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  !ENDING_SEVERITIES.has(error.severity) &&
  !ENDING_CODES.test(error.code ?? '') &&
  error.code !== READ_ONLY;

function end(client: PoolClient): void {
  if (client instanceof Client) client.end().catch(ignore);
}

// The query that fails because of it reports the error.
function ignore(): void {}
