import type {
  CompiledQuery,
  DatabaseConnection,
  DatabaseIntrospector,
  Dialect,
  DialectAdapter,
  Driver,
  Kysely,
  QueryCompiler,
  QueryResult,
  TransactionSettings,
} from 'kysely';
import { explained } from './database-failure.rules.js';

/** A dialect whose failures say what is wrong with the database, and what to do about it. */
export class ExplainedDialect implements Dialect {
  constructor(private readonly dialect: Dialect) {}

  createDriver(): Driver {
    return new ExplainedDriver(this.dialect.createDriver());
  }

  createQueryCompiler(): QueryCompiler {
    return this.dialect.createQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return this.dialect.createAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return this.dialect.createIntrospector(db);
  }
}

class ExplainedDriver implements Driver {
  constructor(private readonly driver: Driver) {}

  init(): Promise<void> {
    return explaining(() => this.driver.init());
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return explaining(async () => new ExplainedConnection(await this.driver.acquireConnection()));
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return this.driver.beginTransaction(connection, settings);
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.driver.commitTransaction(connection);
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return this.driver.rollbackTransaction(connection);
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return this.driver.releaseConnection(connection instanceof ExplainedConnection ? connection.inner : connection);
  }

  destroy(): Promise<void> {
    return this.driver.destroy();
  }
}

class ExplainedConnection implements DatabaseConnection {
  constructor(readonly inner: DatabaseConnection) {}

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return explaining(() => this.inner.executeQuery<Row>(query));
  }

  async *streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    try {
      yield* this.inner.streamQuery<Row>(query, chunkSize);
    } catch (error) {
      throw explained(error);
    }
  }
}

async function explaining<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw explained(error);
  }
}
