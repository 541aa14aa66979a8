import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { QueryResult } from 'kysely';

const CACHED_STATEMENTS = 256;
/**
 * Half of SQLite's default: a change writes a whole page of the table and of each of its indexes. Existing databases keep their
 * page size.
 */
export const PAGE_BYTES = 2_048;
/** 64 MB: another thread checkpoints the WAL long before, without blocking this one. */
const LARGEST_LOG_PAGES = 67_108_864 / PAGE_BYTES;
const READER_PATIENCE_MS = 5_000;
/** Long reads scan much more of a database than writes do. */
const READER_CACHE_KIB = 32_768;

interface Prepared {
  statement: StatementSync;
  /** True when it returns rows. */
  isReader: boolean;
}

/** One node:sqlite connection. The driver decides who uses it when. */
export class NodeSqliteDatabase {
  private readonly db: DatabaseSync;
  private readonly statements = new Map<string, Prepared>();

  /**
   * Opens the database. A locked file is an error at once, because waiting here would block the whole process. Read-only
   * connections wait: they have their own thread.
   * @param path a file, or `:memory:`
   * @param options.contents what a database in memory begins with: a file of SQLite that is not in WAL mode
   */
  constructor(path: string, { readOnly = false, contents }: { readOnly?: boolean; contents?: Uint8Array } = {}) {
    const timeout = readOnly ? READER_PATIENCE_MS : 0;
    this.db = new DatabaseSync(path, { timeout, readOnly, enableForeignKeyConstraints: true });
    if (readOnly) {
      this.db.exec(`pragma cache_size = -${READER_CACHE_KIB}`);
      return;
    }
    try {
      if (contents) this.db.deserialize(contents);
      // Both must be set before the first write: a database without auto-vacuum never shrinks.
      this.db.exec(`pragma page_size = ${PAGE_BYTES}; pragma auto_vacuum = incremental`);
      // Has no effect on an in-memory database. NORMAL is safe from corruption in WAL mode.
      this.db.exec('pragma journal_mode = wal; pragma synchronous = normal;');
      this.db.exec(`pragma wal_autocheckpoint = ${LARGEST_LOG_PAGES}`);
      // Rollback data of single statements need not go through files.
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

  /** Returns the rows of a statement as arrays. Such a statement must not be passed to `execute` as well. */
  read(sql: string, parameters: readonly unknown[]): { columns: string[]; rows: unknown[][] } {
    const { statement } = this.prepare(sql);
    statement.setReturnArrays(true);
    const rows: unknown[] = statement.all(...parameters.map(toSqlValue));
    return { columns: statement.columns().map(({ name }) => name), rows: rows as unknown[][] };
  }

  *iterate<Row>(sql: string, parameters: readonly unknown[]): Generator<Row> {
    // Not cached: re-running a cached statement would end an iteration in progress.
    for (const row of this.db.prepare(sql).iterate(...parameters.map(toSqlValue))) yield row as Row;
  }

  /** Rolls back an open transaction. Returns false when SQLite could not: the connection must not be used again. */
  rollBack(): boolean {
    try {
      if (this.db.isTransaction) this.db.exec('rollback');
    } catch {
      // Only an open transaction counts as a failure.
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
    // A pragma may take many steps although it returns no rows, and `run` executes only the first.
    const prepared = { statement, isReader: statement.columns().length > 0 || PRAGMA.test(sql) };
    // The last row id may exceed 2^53 after any statement, because full-text indexes use such ids. node:sqlite would read it as a
    // number and throw after it has run the statement.
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
 * Converts a value to a SQLite type: booleans to 0 and 1, dates to ISO text, other objects to JSON text. Otherwise node:sqlite
 * would take a leading object for named parameters and silently store NULL.
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
