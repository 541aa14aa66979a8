import type {
  AbortableOperationOptions,
  CompiledQuery,
  ControlConnectionProvider,
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
import { DatabaseUnavailable } from './database.errors.js';

/** Wraps a dialect so that its errors say what is wrong with the database and what to do. */
export class ExplainedDialect implements Dialect {
  /** @param onUnavailable called with each failure that is not the fault of a statement */
  constructor(
    private readonly dialect: Dialect,
    private readonly onUnavailable: (error: DatabaseUnavailable) => void = () => {},
  ) {}

  createDriver(): Driver {
    return new ExplainedDriver(this.dialect.createDriver(), (error) => this.explain(error));
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

  private explain(error: unknown): unknown {
    const mapped = explained(error);
    if (mapped instanceof DatabaseUnavailable) this.onUnavailable(mapped);
    return mapped;
  }
}

type Explain = (error: unknown) => unknown;

class ExplainedDriver implements Driver {
  constructor(
    private readonly driver: Driver,
    private readonly explain: Explain,
  ) {}

  init(): Promise<void> {
    return explaining(this.explain, () => this.driver.init());
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return explaining(
      this.explain,
      async () => new ExplainedConnection(await this.driver.acquireConnection(), this.explain),
    );
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return explaining(this.explain, () => this.driver.beginTransaction(innerOf(connection), settings));
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return explaining(this.explain, () => this.driver.commitTransaction(innerOf(connection)));
  }

  // A transaction that can't be rolled back has ended with its connection; the earlier error is the one to report.
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.driver.rollbackTransaction(innerOf(connection)).catch(() => undefined);
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return this.driver.releaseConnection(innerOf(connection));
  }

  destroy(): Promise<void> {
    return this.driver.destroy();
  }
}

class ExplainedConnection implements DatabaseConnection {
  constructor(
    readonly inner: DatabaseConnection,
    private readonly explain: Explain,
  ) {}

  async executeQuery<Row>(query: CompiledQuery, options?: AbortableOperationOptions): Promise<QueryResult<Row>> {
    try {
      return await explaining(this.explain, () => this.inner.executeQuery<Row>(query, options));
    } catch (error) {
      if (options?.signal?.aborted) return NOTHING; // its caller has left, and the cancellation made it fail
      throw error;
    }
  }

  async collectSessionInfo(): Promise<void> {
    await this.inner.collectSessionInfo?.();
  }

  /** Cancels the running statement, if the database supports it. */
  async cancelQuery(control: ControlConnectionProvider): Promise<void> {
    await this.inner.cancelQuery?.(control);
  }

  async *streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    try {
      yield* this.inner.streamQuery<Row>(query, chunkSize);
    } catch (error) {
      throw this.explain(error);
    }
  }
}

const NOTHING: QueryResult<never> = { rows: [] };

/** Returns the driver's own connection, which is the only kind that it accepts. */
const innerOf = (connection: DatabaseConnection): DatabaseConnection =>
  connection instanceof ExplainedConnection ? connection.inner : connection;

async function explaining<Result>(explain: Explain, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw explain(error);
  }
}
