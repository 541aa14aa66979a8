import { Socket } from 'node:net';
import { Client, type CustomTypesConfig, DatabaseError, types } from 'pg';
import type { FoundRows } from '#skill-host';
import { withVerifiedTls } from '../../../platform/environment/postgres-tls.rules.js';
import { RequestRefused } from './module-calls.errors.js';

/** A statement with the values of its parameters, `$1` and so on. */
export interface Query {
  sql: string;
  parameters: readonly (string | number | boolean | null)[];
}

const CONNECT_MS = 5_000;
const STATEMENT_MS = 30_000;
/** How long after the server should have cancelled a statement it is given up, because the server has stalled or is gone. */
const GRACE_MS = 2_000;
const MOST_ROWS = 1_000;
const ROWS_AT_ONCE = 100;
/** Bytes after which no more rows are read, and after which reading stops within a row. */
const ENOUGH_BYTES = 1_000_000;
const MOST_BYTES = 20_000_000;
const CHECK_EVERY_MS = 20;

// Must be followed by a single statement that starts with SELECT, VALUES, TABLE or WITH: PostgreSQL accepts no other here.
const DECLARE = 'declare found no scroll cursor for ';
// After the first query, a transaction can no longer be switched to read-write.
const LIMIT = `set local statement_timeout = ${STATEMENT_MS}`;
const BEGIN = `begin transaction read only; ${LIMIT}; select 1`;

/**
 * Reads from a PostgreSQL database, in a read-only transaction on a separate connection. Returns at most 1,000 rows, and stops
 * after a megabyte.
 * @param url in libpq's format (PostgreSQL manual, section 32.1.1.2)
 * @throws RequestRefused with the problem, and the reason of the signal
 */
export async function readOnlyQuery(url: string, query: Query, signal: AbortSignal): Promise<FoundRows> {
  signal.throwIfAborted();
  const socket = new Socket();
  const client = clientOf(url, socket);
  client.on('error', () => undefined); // the failing query reports the error
  let reason: Error | null = null; // why this side has closed the connection
  const close = (why: Error) => {
    reason ??= why;
    socket.destroy();
  };
  const cancel = () => close(signal.reason as Error);
  signal.addEventListener('abort', cancel, { once: true });
  const watching = setInterval(
    () => socket.bytesRead > MOST_BYTES && close(new RequestRefused(TOO_LARGE)),
    CHECK_EVERY_MS,
  );
  try {
    await client.connect();
    await client.query(BEGIN);
    return await rowsOf(client, query, () => socket.bytesRead >= ENOUGH_BYTES);
  } catch (error) {
    throw reason ?? refusalOf(error);
  } finally {
    clearInterval(watching);
    signal.removeEventListener('abort', cancel);
    client.end().catch(() => undefined);
  }
}

/** @throws RequestRefused when a file that the URL names cannot be read */
function clientOf(url: string, socket: Socket): Client {
  try {
    return new Client({
      connectionString: withVerifiedTls(url),
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: STATEMENT_MS + GRACE_MS,
      application_name: 'agent-service',
      types: TYPES,
      stream: () => socket,
    });
  } catch (error) {
    throw refusalOf(error);
  }
}

async function rowsOf(client: Client, { sql, parameters }: Query, isEnough: () => boolean): Promise<FoundRows> {
  // The extended protocol accepts only one statement. (The types of pg lack this option.)
  const declaration = { text: DECLARE + sql, values: [...parameters], queryMode: 'extended' };
  await client.query(declaration);
  const rows: unknown[][] = [];
  for (;;) {
    await client.query(LIMIT); // the rows before may have changed it by set_config
    const found = await client.query<unknown[]>({ text: `fetch ${ROWS_AT_ONCE} from found`, rowMode: 'array' });
    rows.push(...found.rows);
    const isLast = found.rows.length < ROWS_AT_ONCE;
    if (isLast || rows.length > MOST_ROWS || isEnough())
      return {
        columns: found.fields.map(({ name }) => name),
        rows: rows.slice(0, MOST_ROWS),
        isCut: !isLast || rows.length > MOST_ROWS,
      };
  }
}

/**
 * Classes of SQLSTATE codes: the connection, its user or its database is refused, or the server is out of resources or shutting
 * down. 08P01 is about parameters.
 */
const LETS_NOBODY_IN = /^(?:08(?!P01)|28|3D|53|57P)/;
const CANCELED = '57014';
const TOO_LARGE = `the rows have more than ${MOST_BYTES / 1_000_000} MB: select fewer columns, or shorter texts`;

/** Returns PostgreSQL's message with the place in the statement; for network errors, only the kind of failure. */
function refusalOf(error: unknown): RequestRefused {
  if (!(error instanceof DatabaseError)) {
    const code = (error as NodeJS.ErrnoException).code ?? 'the connection ended, or took too long';
    return new RequestRefused(`the database cannot be reached (${code})`);
  }
  const { code = '', message } = error;
  if (code === CANCELED)
    return new RequestRefused(
      `the database gave the statement up (${message}): it may take ${STATEMENT_MS / 1_000} s, so select less`,
    );
  if (LETS_NOBODY_IN.test(code)) return new RequestRefused(`the database does not let the service in: ${message}`);
  const at = Number(error.position ?? 0) - DECLARE.length;
  const place = at > 0 ? ` (at character ${at})` : '';
  const hint = error.hint === undefined ? '' : `. ${error.hint}`;
  return new RequestRefused(`the database refused the statement: ${message}${place}${hint}`);
}

const numberOf = (text: string): number | string => (Number.isFinite(Number(text)) ? Number(text) : text);
const integerOf = (text: string): number | string => (Number.isSafeInteger(Number(text)) ? Number(text) : text);
const { BOOL, INT2, INT4, INT8, OID, FLOAT4, FLOAT8, JSON: JSON_TEXT, JSONB } = types.builtins;
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [BOOL, (text) => text === 't'],
  ...[INT2, INT4, INT8, OID].map((type) => [type, integerOf] as const),
  ...[FLOAT4, FLOAT8].map((type) => [type, numberOf] as const),
  ...[JSON_TEXT, JSONB].map((type) => [type, (text: string) => JSON.parse(text) as unknown] as const),
]);
const TYPES: CustomTypesConfig = { getTypeParser: (type: number) => PARSERS.get(type) ?? String };
