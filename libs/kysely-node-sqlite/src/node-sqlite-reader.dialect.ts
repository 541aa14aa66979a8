import {
  type AbortableOperationOptions,
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { ReaderThreads } from './reader-threads.js';

const LIMIT_MS = 20_000;

/**
 * A read-only Kysely dialect that queries a SQLite file in separate threads. Each statement sees the data committed when it
 * begins. Does not support transactions.
 */
export class NodeSqliteReaderDialect implements Dialect {
  /** @param limitMs how long a statement may take */
  constructor(
    private readonly path: string,
    private readonly limitMs = LIMIT_MS,
  ) {}

  createDriver(): Driver {
    return new ReaderDriver(new ReaderThreads(this.path, this.limitMs));
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): SqliteAdapter {
    return new ReaderAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

class ReaderAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class ReaderDriver implements Driver {
  constructor(private readonly threads: ReaderThreads) {}

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new ReaderConnection(this.threads);
  }

  async releaseConnection(): Promise<void> {}

  beginTransaction(): Promise<void> {
    return Promise.reject(new TypeError('readers know no transactions: use the database itself'));
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  destroy(): Promise<void> {
    return this.threads.close();
  }
}

class ReaderConnection implements DatabaseConnection {
  constructor(private readonly threads: ReaderThreads) {}

  async executeQuery<Row>(
    { sql, parameters }: CompiledQuery,
    { signal }: AbortableOperationOptions = {},
  ): Promise<QueryResult<Row>> {
    return { rows: await this.threads.read<Row>({ sql, parameters }, signal) };
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }
}
