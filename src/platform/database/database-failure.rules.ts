import { DatabaseUnavailable, ReferenceGone } from './database.errors.js';

/** Messages for SQLite result codes that are not the fault of a statement: https://sqlite.org/rescode.html */
const SQLITE_PROBLEMS: Record<number, string> = {
  5: 'a change takes long, or another process keeps it locked: only one service may use a data folder',
  8: 'its file cannot be written: check the rights of DATA_DIR',
  9: 'a read took too long, and was given up: ask for less, or try again',
  10: 'its file cannot be read or written: check the disk that holds DATA_DIR',
  11: 'its file is damaged: stop the service, move all files agent-service.db* out of DATA_DIR, and restore a backup',
  13: 'the disk is full, and nothing was saved: make room where DATA_DIR is',
  14: 'its file cannot be opened: check that it is in DATA_DIR, and its rights',
  26: 'its file is not a database: move all files agent-service.db* out of DATA_DIR and restore a backup, or set DATA_DIR to another folder',
};

const CONNECTION_BROKE = 'the connection to PostgreSQL broke';
const DAMAGED = 'PostgreSQL reports that its data is damaged: check its log';
/**
 * Messages by SQLSTATE code or prefix; the first match counts:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const POSTGRES_PROBLEMS: readonly [prefix: string, problem: string][] = [
  ['53100', 'the disk of PostgreSQL is full, and nothing was saved'],
  ['53300', 'PostgreSQL accepts no more connections: raise its max_connections, or run fewer replicas'],
  ['53', 'PostgreSQL has run out of resources'],
  ['57P', 'PostgreSQL is shutting down or starting'],
  ['08', CONNECTION_BROKE],
  ['28', 'PostgreSQL refuses the user or the password: check DATABASE_URL'],
  ['3D000', 'PostgreSQL has no such database: check DATABASE_URL'],
  ['3F000', 'the search_path of PostgreSQL names no schema that exists: create the schema, or change search_path'],
  ['42501', 'PostgreSQL denies the user of DATABASE_URL a right: make it the owner of the schema and of its tables'],
  ['57014', 'a statement took too long, and PostgreSQL cancelled it'],
  ['55P03', 'another transaction holds a lock on what is to be changed'],
  ['25P03', 'a transaction was idle for too long'],
  ['25P04', 'a transaction took too long'],
  ['25006', 'PostgreSQL is read-only: check that DATABASE_URL names the primary'],
  ['40', 'another transaction changed the same rows at the same time'],
  ['58', 'PostgreSQL cannot read or write its files: check its log and its disk'],
  ['XX001', DAMAGED],
  ['XX002', DAMAGED],
];
/** Severities of errors that end the session, such as of poolers that have no connection left. */
export const ENDING_SEVERITIES: ReadonlySet<unknown> = new Set(['FATAL', 'PANIC']);

const CONNECTION_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
]);
/** Codes of Node for a rejected certificate, or a failed handshake. */
const TLS_CODES = /^(?:CERT_|ERR_TLS_|ERR_SSL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/;
/** Errors of pg without a code: connections that broke, or were not established in time. */
const BROKEN =
  /connection terminated|timeout ex(ceeded|pired)|query read timeout|establishing an SSL|client (has encountered|was closed)/i;
const NO_TLS = /does not support SSL/;

interface Failure {
  code?: unknown;
  errcode?: unknown;
  message?: unknown;
  severity?: unknown;
}

interface Codes {
  sqlite: readonly number[];
  postgres: readonly string[];
}

/** Failures that last until somebody acts: nothing can be saved until then. */
const LASTING: Codes = { sqlite: [8, 10, 11, 13, 26], postgres: ['53100', '25006', '42501'] };
const DISK_FULL: Codes = { sqlite: [13], postgres: ['53100'] };
const TOO_SLOW: Codes = { sqlite: [9], postgres: ['57014'] };
/** A violated foreign key: the parent of a row is gone. */
const FOREIGN_KEY = { sqlite: 787, postgres: '23503' };

/**
 * Converts a database error for callers: if the statement is not to blame, to DatabaseUnavailable, which says what to do; a
 * violated foreign key, to ReferenceGone. Returns any other error unchanged.
 */
export function explained(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  if (isForeignKey(error)) return new ReferenceGone(error);
  const problem = problemOf(error);
  return problem === undefined
    ? error
    : new DatabaseUnavailable(problem, {
        cause: error,
        isLasting: isOneOf(error, LASTING),
        isDiskFull: isOneOf(error, DISK_FULL),
        isTooSlow: isOneOf(error, TOO_SLOW),
      });
}

/** Errors that recur whenever the same data is written: PostgreSQL's SQLSTATE classes, and SQLite result codes. */
const REFUSALS = { sqlite: [18, 19, 20, 25], postgres: ['22', '23', '54'] };

/**
 * Returns whether the written data is to blame, so that retries are useless: a value that the database cannot hold, or a text
 * that exceeds the limit.
 */
export function isRefusal(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof ReferenceGone) return true;
  if (typeof error !== 'object' || error === null || error instanceof DatabaseUnavailable) return false;
  const { code, errcode }: Failure = error;
  if (code === 'ERR_SQLITE_ERROR') return typeof errcode === 'number' && REFUSALS.sqlite.includes(errcode & 0xff);
  return typeof code === 'string' && code.length === 5 && REFUSALS.postgres.includes(code.slice(0, 2));
}

/** Returns whether the connection broke, so that it is unknown whether the statement was executed. */
export function isAnswerLost(error: unknown): boolean {
  const { code, message } = Object(error) as Failure;
  return typeof code === 'string' ? CONNECTION_CODES.has(code) : BROKEN.test(String(message));
}

const isForeignKey = ({ code, errcode }: Failure): boolean =>
  code === FOREIGN_KEY.postgres || (code === 'ERR_SQLITE_ERROR' && errcode === FOREIGN_KEY.sqlite);

function isOneOf({ code, errcode }: Failure, { sqlite, postgres }: Codes): boolean {
  if (code === 'ERR_SQLITE_ERROR') return typeof errcode === 'number' && sqlite.includes(errcode & 0xff);
  return postgres.some((state) => state === code);
}

function problemOf({ code, errcode, message, severity }: Failure): string | undefined {
  // The low byte is the primary result code; the others give details.
  if (code === 'ERR_SQLITE_ERROR') return typeof errcode === 'number' ? SQLITE_PROBLEMS[errcode & 0xff] : undefined;
  if (typeof code === 'string') {
    if (CONNECTION_CODES.has(code)) return `PostgreSQL does not answer (${code})`;
    if (TLS_CODES.test(code))
      return `the certificate of PostgreSQL is not accepted (${code}): renew it, or check sslrootcert in DATABASE_URL`;
    const known = POSTGRES_PROBLEMS.find(([prefix]) => code.startsWith(prefix));
    return known?.[1] ?? (ENDING_SEVERITIES.has(severity) ? `PostgreSQL ended the connection (${code})` : undefined);
  }
  if (NO_TLS.test(String(message)))
    return 'PostgreSQL does not encrypt connections, which sslmode in DATABASE_URL demands';
  return BROKEN.test(String(message)) ? CONNECTION_BROKE : undefined;
}
