import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { NodeSqliteDatabase } from './node-sqlite.database.js';

/** Kysely on the SQLite that Node brings. The file (or `:memory:`) is opened by the first query. */
export class NodeSqliteDialect implements Dialect {
  constructor(private readonly path: string) {}

  createDriver(): Driver {
    return new ImmediateSqliteDriver({ database: async () => new NodeSqliteDatabase(this.path) });
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

/** SQLite does roll back DDL; without this a migration that fails half-way leaves its first tables behind. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  // Take the write lock at once: a transaction that reads first and writes later fails with SQLITE_BUSY, without
  // waiting, when another process wrote in between.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  // After some errors, such as a full disk, SQLite has rolled back by itself: the error to report is the first one.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!String(error).includes('no transaction is active')) throw error;
    }
  }
}
