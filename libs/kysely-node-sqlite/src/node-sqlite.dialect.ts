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

/** Kysely on the SQLite that Node brings. The file (or `:memory:`) is opened by the first query. */
export class NodeSqliteDialect implements Dialect {
  constructor(
    private readonly path: string,
    private readonly options: NodeSqliteOptions = {},
  ) {}

  createDriver(): Driver {
    return new NodeSqliteDriver(this.path, this.options);
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
  /** SQLite does roll back DDL; without this a migration that fails half-way leaves its first tables behind. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** There is one connection, and the driver itself lets its users have it in turn. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}
