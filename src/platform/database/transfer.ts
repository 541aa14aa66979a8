import { type Kysely, sql } from 'kysely';
import { parsedOrNull } from '#bounded-json';
import { continueSequence, dialectOf, keepStartsWaiting, withoutTriggers } from '../sql/dialect.js';
import { DatabaseUnavailable, ImportRefused, ReferenceGone } from './database.errors.js';
import { appliedMigrations } from './migrations.js';
import { countSeenWithin } from './replica.store.js';
import type { Tables } from './tables.js';
import { countOf } from '../text/count-of.js';

interface TransferredTable {
  name: keyof Tables;
  key: readonly string[];
  /** The auto-increment column. */
  sequence?: string;
  /** The column that is empty in the initial rows of a new database. */
  editor?: string;
  /** The column with binary data. */
  bytes?: string;
  /** True when triggers refuse to delete its rows. */
  isGuarded?: boolean;
}

/** Every exported table; referenced tables come first. */
export const TRANSFERRED: readonly TransferredTable[] = [
  { name: 'settings', key: ['key'] },
  { name: 'secrets', key: ['name'] },
  { name: 'skill_states', key: ['name'] },
  { name: 'facts', key: ['name'] },
  { name: 'former_versions', key: ['seq'], sequence: 'seq' },
  { name: 'administrators', key: ['name'] },
  { name: 'admin_sessions', key: ['id_hash'] },
  { name: 'oauth_programs', key: ['id'] },
  { name: 'oauth_grants', key: ['id'] },
  { name: 'oauth_artifacts', key: ['kind', 'id_hash'] },
  { name: 'login_providers', key: ['name'] },
  { name: 'account_identities', key: ['issuer', 'subject'] },
  { name: 'clients', key: ['name'] },
  { name: 'client_keys', key: ['id'] },
  { name: 'client_uses', key: ['client'] },
  { name: 'mcp_sessions', key: ['id'] },
  { name: 'mcp_subscriptions', key: ['session_id', 'uri_hash'] },
  { name: 'mcp_events', key: ['seq'], sequence: 'seq' },
  { name: 'mcp_streams', key: ['id'] },
  { name: 'mcp_stream_events', key: ['stream_id', 'seq'] },
  { name: 'knowledge_sources', key: ['name'] },
  { name: 'knowledge_documents', key: ['id'] },
  { name: 'knowledge_history', key: ['document_id', 'version'] },
  { name: 'knowledge_tags', key: ['tag', 'document_id'] },
  { name: 'knowledge_trash', key: ['id'] },
  { name: 'knowledge_trash_history', key: ['trash_id', 'version'] },
  { name: 'memory_entries', key: ['id'], sequence: 'id' },
  { name: 'memory_history', key: ['entry_id', 'version'] },
  { name: 'feeds', key: ['id'] },
  { name: 'feed_items', key: ['feed_id', 'id'] },
  { name: 'skill_packages', key: ['id'], sequence: 'id' },
  { name: 'skill_package_versions', key: ['name', 'version'] },
  { name: 'skill_package_files', key: ['name', 'version', 'path'], bytes: 'content' },
  { name: 'skill_modules', key: ['name'] },
  { name: 'skill_module_versions', key: ['name', 'version'] },
  { name: 'skill_module_states', key: ['name'] },
  { name: 'skill_module_settings', key: ['name'] },
  { name: 'llm_usage', key: ['month', 'principal'] },
  { name: 'skill_package_proposals', key: ['id'], sequence: 'id' },
  { name: 'workflows', key: ['name'] },
  { name: 'workflow_versions', key: ['name', 'version'] },
  { name: 'workflow_runs', key: ['id'] },
  { name: 'workflow_steps', key: ['run_id', 'name'] },
  { name: 'workflow_events', key: ['seq'], sequence: 'seq' },
  { name: 'workflow_listeners', key: ['type', 'run_id'] },
  { name: 'workflow_logs', key: ['seq'], sequence: 'seq' },
  { name: 'workflow_secrets', key: ['name'] },
  { name: 'workflow_ticks', key: ['workflow', 'tick'] },
  { name: 'workflow_timetables', key: ['workflow', 'kind'] },
  { name: 'policies', key: ['name'], editor: 'updated_by' },
  { name: 'webhooks', key: ['name'] },
  { name: 'webhook_messages', key: ['webhook', 'message_id'] },
  { name: 'audit_batches', key: ['first_seq'], bytes: 'body', isGuarded: true },
  { name: 'audit_terms', key: ['first_seq', 'term'], isGuarded: true },
  { name: 'audit_chain', key: ['id'], isGuarded: true },
  { name: 'call_counts', key: ['span', 'of', 'name', 'at', 'outcome'] },
];

/**
 * Tables that are not exported: short-lived data (attempts, used logins, messages between replicas), and data derived from other
 * tables (passages, their embeddings, and the full-text indexes).
 */
export const LEFT_OUT =
  /^(attempts|login_uses|replicas|mcp_relayed|knowledge_(passages|document_words)|(knowledge|memory|skill_package)_(vectors|index\w*))$/;

type Row = Record<string, unknown>;

/** Rows that are inserted together. */
interface Batch {
  table: string;
  rows: Row[];
  characters: number;
}

/** A line after the header. */
type Line = { table: TransferredTable; row: Row } | Trailer;

/** The last line of an export. */
interface Trailer {
  rows: number;
}

const FORMAT = 'agent-service-export';
/** Characters that a batch of rows has at most, roughly. */
const BATCH_CHARACTERS = 4_000_000;
/** Rows that are read at once, at first and at most: large rows may follow many small ones. */
const FIRST_READ = 20;
const MOST_READ = 100;
const MOST_WRITTEN = 500;
/** How long a killed replica counts as running. */
const AT_WORK_MS = 15_000;

/**
 * Exports a consistent snapshot of the database as lines of JSON: a header, one line per row, and the number of rows, which
 * reveals a truncated file.
 */
export async function* exportLines(database: Kysely<Tables>): AsyncGenerator<string> {
  yield JSON.stringify({ format: FORMAT, migrations: await appliedMigrations(database) });
  const begin = dialectOf(database) === 'sqlite' ? sql`begin` : sql`begin isolation level repeatable read read only`;
  const connection = await heldConnection(database);
  let rows = 0;
  try {
    await begin.execute(connection.database);
    for (const table of TRANSFERRED) {
      for await (const line of linesOf(connection.database, table)) {
        rows += 1;
        yield line;
      }
    }
  } finally {
    // Runs also when the consumer stops early.
    await sql`rollback`.execute(connection.database).catch(() => undefined);
    connection.release();
  }
  yield JSON.stringify({ rows } satisfies Trailer);
}

/**
 * Fills a migrated database from an export; imports either everything or nothing. Returns the number of rows.
 * @param replace true to delete the existing rows first
 * @throws ImportRefused when the lines are not an export of the same schema, the database already has rows, or replicas are running
 */
export async function importLines(
  database: Kysely<Tables>,
  lines: AsyncIterable<string>,
  replace: boolean,
): Promise<number> {
  const iterator = lines[Symbol.asyncIterator]();
  await assertFits(database, (await iterator.next()) as IteratorResult<string, undefined>);
  return database.transaction().execute(async (transaction) => {
    await keepStartsWaiting(transaction);
    await assertNobodyAtWork(transaction);
    await makeEmpty(transaction, replace);
    const count = await insertLines(transaction, iterator);
    for (const { name, sequence } of TRANSFERRED) if (sequence) await continueSequence(transaction, name, sequence);
    // Again: a replica may have started before the lock was taken.
    await assertNobodyAtWork(transaction);
    return count;
  });
}

/** Refuses an import while replicas are running, because they would keep outdated data in memory. @throws ImportRefused */
async function assertNobodyAtWork(database: Kysely<Tables>): Promise<void> {
  if (dialectOf(database) === 'sqlite') return;
  const count = await countSeenWithin(database, AT_WORK_MS);
  if (count === 0) return;
  throw new ImportRefused(
    `${count === 1 ? 'a replica uses' : `${count} replicas use`} the database: stop all of them first (one that was killed ` +
      `counts for ${AT_WORK_MS / 1_000} s)`,
  );
}

/** Inserts the rows after the header. Returns their number. */
async function insertLines(database: Kysely<Tables>, lines: AsyncIterator<string>): Promise<number> {
  let [count, isOver] = [0, false];
  let batch: Batch = { table: '', rows: [], characters: 0 };
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const line: Line | null = isOver ? null : parseLine(next.value);
    if (line === null)
      throw new ImportRefused(
        `line ${count + 2} of the file is not a row of an export: the file was changed or cut off, so export again`,
      );
    if ('rows' in line) {
      if (line.rows !== count) throw new ImportRefused(`the file has ${count} of ${line.rows} rows: export again`);
      isOver = true;
      continue;
    }
    const { table, row } = line;
    if (batch.table !== table.name || batch.rows.length >= MOST_WRITTEN || batch.characters >= BATCH_CHARACTERS) {
      await insert(database, batch);
      batch = { table: table.name, rows: [], characters: 0 };
    }
    batch.rows.push(fromText(row, table));
    batch.characters += next.value.length;
    count += 1;
  }
  if (!isOver)
    throw new ImportRefused(`the file ends after ${countOf(count, 'row')}, before its last line: export again`);
  await insert(database, batch);
  return count;
}

/** Reserves one connection, until `release` is called, for related statements that cannot run in one callback. */
function heldConnection(database: Kysely<Tables>): Promise<{ database: Kysely<Tables>; release: () => void }> {
  return new Promise((resolve, reject) => {
    database
      .connection()
      .execute((connection) => new Promise<void>((release) => resolve({ database: connection, release })))
      .catch(reject);
  });
}

async function* linesOf(database: Kysely<Tables>, table: TransferredTable): AsyncGenerator<string> {
  const { name, key } = table;
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let after = sql``;
  for (let atOnce = FIRST_READ; ;) {
    const query = sql<Row>`select * from ${sql.table(name)} ${after} order by ${columns} limit ${sql.lit(atOnce)}`;
    const { rows } = await query.execute(database);
    let characters = 0;
    for (const row of rows) {
      const line = JSON.stringify([table.name, asText(row, table)]);
      characters += line.length;
      yield line;
    }
    const last = rows.at(-1);
    if (!last || rows.length < atOnce) return;
    after = sql`where (${columns}) > (${sql.join(key.map((column) => last[column]))})`;
    atOnce = rowsAtOnce(characters / rows.length);
  }
}

/** Returns how many rows of this many characters to read at once. */
const rowsAtOnce = (each: number): number =>
  Math.min(MOST_READ, Math.max(FIRST_READ, Math.floor(BATCH_CHARACTERS / each)));

/** Converts a row for JSON: bytes become Base64. */
function asText(row: Row, { bytes }: TransferredTable): Row {
  const value = bytes === undefined ? undefined : row[bytes];
  return bytes !== undefined && value instanceof Uint8Array
    ? { ...row, [bytes]: Buffer.from(value).toString('base64') }
    : row;
}

function fromText(row: Row, { bytes }: TransferredTable): Row {
  const value = bytes === undefined ? undefined : row[bytes];
  return bytes !== undefined && typeof value === 'string' ? { ...row, [bytes]: Buffer.from(value, 'base64') } : row;
}

async function assertFits(database: Kysely<Tables>, first: IteratorResult<string, undefined>): Promise<void> {
  const header = first.done ? null : (parsedOrNull(first.value) as { format?: unknown; migrations?: unknown } | null);
  if (header?.format !== FORMAT) throw new ImportRefused('the file is not an export of this service');
  const [theirs, ours] = [String(header.migrations), String(await appliedMigrations(database))];
  if (theirs !== ours) {
    throw new ImportRefused(
      'the export was made by another version of the service: export and import with the same version',
    );
  }
}

async function makeEmpty(database: Kysely<Tables>, replace: boolean): Promise<void> {
  for (const { name, editor, isGuarded } of [...TRANSFERRED].reverse()) {
    const deleteAll = async () => void (await database.deleteFrom(name).execute());
    if (replace) await (isGuarded ? withoutTriggers(database, name, deleteAll) : deleteAll());
    else if (editor) await sql`delete from ${sql.table(name)} where ${sql.ref(editor)} = ''`.execute(database);
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(database);
    if (rows.length > 0) {
      throw new ImportRefused(`the database is not empty (table ${name}): pass --replace to delete what it holds`);
    }
  }
}

/** @throws ImportRefused when the database cannot hold the rows, so the file was changed */
async function insert(database: Kysely<Tables>, batch: Batch): Promise<void> {
  if (batch.rows.length === 0) return;
  try {
    await insertRows(database, batch);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const { message } = error instanceof ReferenceGone ? (error.cause as Error) : (error as Error);
    throw new ImportRefused(
      `the table ${batch.table} refuses rows of the file, which was changed: export again (${message})`,
    );
  }
}

async function insertRows(database: Kysely<Tables>, { table, rows }: Batch): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))}) values ${sql.join(values)}`.execute(
    database,
  );
}

function parseLine(line: string): Line | null {
  const parsed = parsedOrNull(line);
  if (!Array.isArray(parsed)) return isTrailer(parsed) ? parsed : null;
  const [name, row] = parsed as [string?, (Row | null)?];
  const table = TRANSFERRED.find((one) => one.name === name);
  return table && row && Object.keys(row).length > 0 ? { table, row } : null;
}

const isTrailer = (parsed: unknown): parsed is Trailer =>
  typeof parsed === 'object' && parsed !== null && typeof (parsed as Partial<Trailer>).rows === 'number';
