import {
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { NodeSqliteDriver, type NodeSqliteOptions } from './node-sqlite.driver.js';

/** A Kysely dialect for Node's built-in SQLite. The first query opens the file, or `:memory:`. */
export class NodeSqliteDialect implements Dialect {
  private driver: NodeSqliteDriver | undefined;

  constructor(
    private readonly path: string,
    private readonly options: NodeSqliteOptions = {},
  ) {}

  createDriver(): Driver {
    return (this.driver = new NodeSqliteDriver(this.path, this.options));
  }

  /** Runs work that must succeed on a full disk, with the reserved space if needed. Everyone else waits meanwhile. */
  evenWhenFull<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.driver ? this.driver.evenWhenFull(work) : work();
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): SqliteAdapter {
    return new NodeSqliteAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  /** SQLite can roll back DDL; without this, a migration that fails half-way leaves its first tables behind. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** There is only one connection, but the driver shares it among its users in turn. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}
