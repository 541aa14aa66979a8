import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { NodeSqliteDatabase } from './node-sqlite.database.js';
import { isBusy, isFull, TransactionOver } from './node-sqlite.errors.js';
import { SpaceReserve } from './space-reserve.js';
import { Turns } from './turns.js';

export interface NodeSqliteOptions {
  /** How long a statement waits for its turn, and as long again while another process writes. */
  patienceMs?: number;
  /** A transaction in which nothing was done for so long is rolled back. */
  idleTransactionMs?: number;
  /** Kept free beside the database, so that something can be deleted when the disk is full. 0 = nothing. */
  reserveBytes?: number;
  /** Told of what should not happen and was put right. */
  onTrouble?: (trouble: string) => void;
}

const DEFAULTS = { patienceMs: 5_000, idleTransactionMs: 10_000, reserveBytes: 0, onTrouble: () => {} };
const LOOK_EVERY_MS = 1_000;
/** Between two tries while another process writes. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [2, 50];
const IN_MEMORY = ':memory:';

/**
 * One connection, which its users have in turn. No turn ends, and none begins, with a transaction open: whatever happened
 * to it, it is rolled back, and a connection that can't be rolled back is closed and opened anew.
 */
export class NodeSqliteDriver implements Driver {
  private readonly options: Required<NodeSqliteOptions>;
  private readonly turns: Turns<Lease>;
  private readonly reserve: SpaceReserve | null;
  private database: NodeSqliteDatabase | null = null; // null = to be opened
  private watch: NodeJS.Timeout | undefined;

  constructor(
    private readonly path: string,
    options: NodeSqliteOptions,
  ) {
    this.options = { ...DEFAULTS, ...options };
    this.turns = new Turns(this.options.patienceMs);
    const { reserveBytes } = this.options;
    this.reserve = reserveBytes > 0 && path !== IN_MEMORY ? new SpaceReserve(`${path}-reserve`, reserveBytes) : null;
  }

  async init(): Promise<void> {
    await this.patiently(null, () => this.opened());
    this.reserve?.fill();
    this.watch = setInterval(
      () => this.endIdleTransaction(),
      Math.min(LOOK_EVERY_MS, this.options.idleTransactionMs),
    ).unref();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const lease = new Lease(this);
    await this.turns.take(lease);
    return lease;
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const lease = leaseOf(connection);
    if (this.turns.holder !== lease) return;
    this.settle('a connection was given back in the middle of a transaction, which was rolled back');
    this.turns.give(lease);
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const lease = leaseOf(connection);
    // Take the write lock at once: a transaction that reads first and writes later fails with SQLITE_BUSY, without
    // waiting, when another process wrote in between.
    await this.run(lease, 'begin immediate', []);
    lease.isInTransaction = true;
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.run(leaseOf(connection), 'commit', []);
    leaseOf(connection).isInTransaction = false;
  }

  // Never fails: the error to report is the one before.
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const lease = leaseOf(connection);
    lease.isInTransaction = false;
    if (this.turns.holder === lease) this.rollBack();
  }

  async destroy(): Promise<void> {
    clearInterval(this.watch);
    this.database?.close();
    this.database = null;
  }

  /** @throws TransactionOver when it belongs to a transaction that SQLite, or the watch, has rolled back */
  async run<Row>(lease: Lease, sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    this.assertMayRun(lease);
    try {
      return await this.patiently(lease, () => this.opened().execute<Row>(sql, parameters));
    } catch (error) {
      if (isFull(error) && !lease.isInTransaction && this.reserve && /^\s*delete\b/i.test(sql)) {
        return this.withReserve(this.reserve, () => this.opened().execute<Row>(sql, parameters));
      }
      throw error;
    } finally {
      lease.lastUsedMs = performance.now();
    }
  }

  *iterate<Row>(lease: Lease, sql: string, parameters: readonly unknown[]): Generator<Row> {
    this.assertMayRun(lease);
    yield* this.opened().iterate<Row>(sql, parameters);
  }

  /** Tries again while another process writes; meanwhile other users, who may only want to read, have their turns. */
  private async patiently<Result>(lease: Lease | null, work: () => Result): Promise<Result> {
    const deadline = performance.now() + this.options.patienceMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw error;
      }
      const keepsTurn = lease === null || lease.isInTransaction || this.opened().isTransaction;
      if (!keepsTurn) this.turns.give(lease);
      await new Promise((wake) => setTimeout(wake, pauseMs));
      if (!keepsTurn) await this.turns.take(lease);
    }
  }

  private withReserve<Result>(reserve: SpaceReserve, work: () => Result): Result {
    reserve.empty();
    try {
      return work();
    } finally {
      this.shrinkLog();
      reserve.fill();
    }
  }

  /** What the log takes is free again once it is in the database. */
  private shrinkLog(): void {
    try {
      this.opened().execute('pragma wal_checkpoint(truncate)', []);
    } catch {
      // There is no room even for that: the log stays as it is, and nothing is lost.
    }
  }

  private assertMayRun(lease: Lease): void {
    if (this.turns.holder !== lease) throw new TransactionOver(lease.endedBecause);
    if (lease.isInTransaction && !this.opened().isTransaction) {
      throw new TransactionOver('the transaction is over: SQLite rolled it back after an error');
    }
  }

  /** For what is awaited in a transaction and never comes: everybody else would wait for it, too. */
  private endIdleTransaction(): void {
    const lease = this.turns.holder;
    const { idleTransactionMs } = this.options;
    if (!lease?.isInTransaction || performance.now() - lease.lastUsedMs < idleTransactionMs) return;
    lease.endedBecause = `the transaction was rolled back: nothing was done in it for ${idleTransactionMs} ms`;
    this.settle(lease.endedBecause);
    this.turns.give(lease);
  }

  private settle(trouble: string): void {
    if (!this.database?.isTransaction) return;
    this.rollBack();
    this.options.onTrouble(trouble);
  }

  private rollBack(): void {
    if (this.database === null || this.database.rollBack()) return;
    this.database.close();
    this.database = null;
    this.options.onTrouble('a transaction could not be rolled back: its connection was closed');
  }

  private opened(): NodeSqliteDatabase {
    return (this.database ??= new NodeSqliteDatabase(this.path));
  }
}

/** The connection while somebody has it. */
class Lease implements DatabaseConnection {
  isInTransaction = false;
  lastUsedMs = performance.now();
  endedBecause = 'the connection was given back';

  constructor(private readonly driver: NodeSqliteDriver) {}

  executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return this.driver.run<Row>(this, sql, parameters);
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    for (const row of this.driver.iterate<Row>(this, sql, parameters)) yield { rows: [row] };
  }
}

function leaseOf(connection: DatabaseConnection): Lease {
  if (connection instanceof Lease) return connection;
  throw new TypeError('this connection is not one of this driver');
}
