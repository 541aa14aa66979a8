import { Client, type ClientBase, DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg';

export interface PostgresLimits {
  /** How long one statement may take before the server cancels it. */
  statementMs: number;
  /** How long it may wait for what others have locked. */
  lockMs: number;
  /** A transaction in which nothing was done for so long is ended by the server. */
  idleTransactionMs: number;
}

/** To connect, and to get one of the connections when all are in use. */
const CONNECT_MS = 5_000;
const POOL_SIZE = 10;
/** So much later than the server should have cancelled it, a statement is given up: the server is stalled or gone. */
const GRACE_MS = 2_000;

/**
 * The connections to PostgreSQL. One that broke, or whose state nobody knows, is never used again.
 * @param limits left out for what may take as long as it needs
 */
export function openPostgresPool(config: PoolConfig, limits?: PostgresLimits): Pool {
  const pool = new Pool({
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...config,
    ...(limits && keeping(limits)),
  });
  pool.on('connect', guard);
  // A connection that breaks while idle is replaced by the next query; unheard, the event would end the process.
  pool.on('error', ignore);
  return pool;
}

function keeping({ statementMs, lockMs, idleTransactionMs }: PostgresLimits) {
  // By a statement and not at the start of the connection, where poolers in between refuse what they do not know.
  const settings =
    `set statement_timeout = ${statementMs}; set lock_timeout = ${lockMs}; ` +
    `set idle_in_transaction_session_timeout = ${idleTransactionMs}`;
  const onConnect = (client: ClientBase) => client.query(settings);
  return { query_timeout: statementMs + GRACE_MS, onConnect };
}

/** Sees to it that a connection ends, and so is not used again, after an error that PostgreSQL does not survive or send. */
function guard(client: PoolClient): void {
  // The pool listens only while nobody has the connection, and unheard the event would end the process.
  client.on('error', ignore);
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
  const guarded = (...parameters: unknown[]): unknown => {
    const result = query(...parameters);
    if (result instanceof Promise) result.catch((error: unknown) => isRefusal(error) || end(client));
    return result;
  };
  client.query = guarded as PoolClient['query'];
}

/** What PostgreSQL refuses leaves the connection as it was. After anything else nobody knows what became of it. */
const isRefusal = (error: unknown): boolean => error instanceof DatabaseError && error.severity === 'ERROR';

function end(client: PoolClient): void {
  if (client instanceof Client) client.end().catch(ignore);
}

// What broke is told by the query that it breaks.
function ignore(): void {}
