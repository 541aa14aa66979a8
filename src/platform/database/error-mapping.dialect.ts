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
import { explained, isAnswerLost } from './database-failure.rules.js';
import { DatabaseUnavailable } from './database.errors.js';

/** Wraps a dialect so that its errors say what is wrong with the database and what to do. */
export class ExplainedDialect implements Dialect {
  /**
   * @param onUnavailable called with each failure that is not the fault of a statement
   * @param within runs each operation, within its time
   * @param onAnswerLost called when it is unknown whether a change was made
   */
  constructor(
    private readonly dialect: Dialect,
    private readonly onUnavailable: (error: DatabaseUnavailable) => void = () => {},
    private readonly within: Within = (work) => work(),
    private readonly onAnswerLost: () => void = () => {},
  ) {}

  createDriver(): Driver {
    return new ExplainedDriver(this.dialect.createDriver(), (work, mayChange) =>
      this.explaining(() => this.within(work), mayChange),
    );
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

  private async explaining<Result>(work: () => Promise<Result>, mayChange = false): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const mapped = explained(error);
      if (mapped instanceof DatabaseUnavailable) this.onUnavailable(mapped);
      if (mayChange && isAnswerLost(error)) this.onAnswerLost();
      throw mapped;
    }
  }
}

/** Does work within the time that it has. */
export type Within = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Runs an operation, and explains its errors. */
type Run = <Result>(work: () => Promise<Result>, mayChange?: boolean) => Promise<Result>;

class ExplainedDriver implements Driver {
  constructor(
    private readonly driver: Driver,
    private readonly run: Run,
  ) {}

  init(): Promise<void> {
    return this.run(() => this.driver.init());
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return this.run(async () => new ExplainedConnection(await this.driver.acquireConnection(), this.run));
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return this.run(() => this.driver.beginTransaction(innerOf(connection), settings));
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.run(() => this.driver.commitTransaction(innerOf(connection)), true);
  }

  // A transaction that can't be rolled back has ended with its connection; the earlier error is the one to report.
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.run(() => this.driver.rollbackTransaction(innerOf(connection))).catch(() => undefined);
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
    private readonly run: Run,
  ) {}

  async executeQuery<Row>(query: CompiledQuery, options?: AbortableOperationOptions): Promise<QueryResult<Row>> {
    try {
      const mayChange = query.query.kind !== 'SelectQueryNode';
      return await this.run(() => this.inner.executeQuery<Row>(query, options), mayChange);
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
      throw explained(error);
    }
  }
}

const NOTHING: QueryResult<never> = { rows: [] };

/** Returns the driver's own connection, which is the only kind that it accepts. */
const innerOf = (connection: DatabaseConnection): DatabaseConnection =>
  connection instanceof ExplainedConnection ? connection.inner : connection;
