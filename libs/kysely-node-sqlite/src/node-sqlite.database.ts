import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { QueryResult } from 'kysely';

const CACHED_STATEMENTS = 256;
/**
 * Half of what SQLite takes: a change writes a whole page of the table and of each of its indexes. A database that exists
 * keeps its own.
 */
export const PAGE_BYTES = 2_048;
/** 64 MB: another thread moves the log into the database long before, without holding up this one. */
const LARGEST_LOG_PAGES = 67_108_864 / PAGE_BYTES;
const READER_PATIENCE_MS = 5_000;
/** Long reads go through much more of a database than writes do. */
const READER_CACHE_KIB = 32_768;

interface Prepared {
  statement: StatementSync;
  /** Whether it returns rows. */
  isReader: boolean;
}

/** One connection of node:sqlite. Its driver decides who uses it when. */
export class NodeSqliteDatabase {
  private readonly db: DatabaseSync;
  private readonly statements = new Map<string, Prepared>();

  /**
   * Opens the database. A locked file is an error at once: waiting for it here would block the whole process, unless a
   * thread of its own only reads.
   * @param path a file, or `:memory:`
   */
  constructor(path: string, { readOnly = false } = {}) {
    const timeout = readOnly ? READER_PATIENCE_MS : 0;
    this.db = new DatabaseSync(path, { timeout, readOnly, enableForeignKeyConstraints: true });
    if (readOnly) {
      this.db.exec(`pragma cache_size = -${READER_CACHE_KIB}`);
      return;
    }
    try {
      // Both before anything is written: a database whose pages cannot be moved keeps its size for ever.
      this.db.exec(`pragma page_size = ${PAGE_BYTES}; pragma auto_vacuum = incremental`);
      // Has no effect on an in-memory database. NORMAL is safe from corruption in WAL mode.
      this.db.exec('pragma journal_mode = wal; pragma synchronous = normal;');
      this.db.exec(`pragma wal_autocheckpoint = ${LARGEST_LOG_PAGES}`);
      // What a statement would put back if it failed need not go through files.
      this.db.exec('pragma temp_store = memory');
    } catch (error) {
      this.db.close();
      throw error;
    }
  }

  get isTransaction(): boolean {
    return this.db.isTransaction;
  }

  execute<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const { statement, isReader } = this.prepare(sql);
    const values = parameters.map(toSqlValue);
    if (isReader) return { rows: statement.all(...values) as Row[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  *iterate<Row>(sql: string, parameters: readonly unknown[]): Generator<Row> {
    // Not cached: running a cached statement again would end an iteration that is still in progress.
    for (const row of this.db.prepare(sql).iterate(...parameters.map(toSqlValue))) yield row as Row;
  }

  /** Rolls back an open transaction. Returns false when SQLite could not: the connection must not be used again. */
  rollBack(): boolean {
    try {
      if (this.db.isTransaction) this.db.exec('rollback');
    } catch {
      // What counts is whether the transaction is still open.
    }
    return !this.db.isTransaction;
  }

  close(): void {
    this.statements.clear();
    this.db.close();
  }

  private prepare(sql: string): Prepared {
    const cached = this.statements.get(sql);
    if (cached) return cached;
    const statement = this.db.prepare(sql);
    // A pragma may take many steps although it returns no rows, and `run` does only the first.
    const prepared = { statement, isReader: statement.columns().length > 0 || PRAGMA.test(sql) };
    // The last row id may be above 2^53 after any statement, because full-text indexes use such ids. Reading it as a
    // number, node:sqlite would throw after it has run the statement.
    if (!prepared.isReader) statement.setReadBigInts(true);
    if (this.statements.size >= CACHED_STATEMENTS) this.forgetOldest();
    this.statements.set(sql, prepared);
    return prepared;
  }

  private forgetOldest(): void {
    const [oldest] = this.statements.keys();
    if (oldest !== undefined) this.statements.delete(oldest);
  }
}

const PRAGMA = /^\s*pragma\b/i;

/**
 * Converts a value to one that SQLite knows: booleans to 0 and 1, dates to ISO text, other objects to JSON text.
 * Otherwise node:sqlite would take a leading object for named parameters and silently store NULL.
 */
function toSqlValue(value: unknown): SQLInputValue {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
      return value;
    case 'undefined':
      return null;
    case 'boolean':
      return value ? 1 : 0;
    case 'object':
      if (value === null || value instanceof Uint8Array) return value;
      return value instanceof Date ? value.toISOString() : JSON.stringify(value);
    case 'function':
    case 'symbol':
      throw new TypeError(`a ${typeof value} cannot be stored in SQLite`);
  }
}
