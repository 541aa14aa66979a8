import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

const BUSY_TIMEOUT_MS = 5000;
const CACHED_STATEMENTS = 256;

/** What Kysely's SQLite driver wants of a database, over node:sqlite. */
export class NodeSqliteDatabase implements SqliteDatabase {
  private readonly db: DatabaseSync;
  private readonly statements = new Map<string, SqliteStatement>();

  constructor(path: string) {
    this.db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
    // Does nothing to an in-memory database. NORMAL is safe from corruption in WAL mode.
    this.db.exec('pragma journal_mode = wal; pragma synchronous = normal;');
  }

  prepare(sql: string): SqliteStatement {
    const cached = this.statements.get(sql);
    if (cached) return cached;
    const statement = this.adapt(sql, this.db.prepare(sql));
    if (this.statements.size >= CACHED_STATEMENTS) this.forgetOldest();
    this.statements.set(sql, statement);
    return statement;
  }

  close(): void {
    this.statements.clear();
    this.db.close();
  }

  private adapt(sql: string, statement: StatementSync): SqliteStatement {
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...parameters.map(toSqlValue)),
      run: (parameters) => statement.run(...parameters.map(toSqlValue)),
      // Prepared afresh: running a cached statement again would end an iteration that is still going on.
      iterate: (parameters) => this.db.prepare(sql).iterate(...parameters.map(toSqlValue)),
    };
  }

  private forgetOldest(): void {
    const [oldest] = this.statements.keys();
    if (oldest !== undefined) this.statements.delete(oldest);
  }
}

/**
 * node:sqlite takes a leading object for named parameters and stores NULL, silently; so every value is made one that
 * SQLite knows: booleans 0 and 1, dates ISO text, other objects JSON text.
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
