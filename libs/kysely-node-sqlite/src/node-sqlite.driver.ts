import { AsyncLocalStorage } from 'node:async_hooks';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { LogCheckpoints } from './log-checkpoints.js';
import { LogFlusher } from './log-flusher.js';
import { NodeSqliteDatabase } from './node-sqlite.database.js';
import { isBusy, isFull, TransactionOver } from './node-sqlite.errors.js';
import { SpaceReserve } from './space-reserve.js';
import { Turns } from './turns.js';

export interface NodeSqliteOptions {
  /** How long users wait for another one that keeps its turn, and a statement while another process writes. */
  patienceMs?: number;
  /** How long a transaction may be idle before it is rolled back. */
  idleTransactionMs?: number;
  /** Reserved disk space, so that rows can be deleted when the disk is full. 0 = none. */
  reserveBytes?: number;
  /** What a database in memory begins with: a file of SQLite that is not in WAL mode. */
  contents?: Uint8Array;
  /** Called with a description of each unexpected problem that was corrected. */
  onTrouble?: (trouble: string) => void;
  /** How long after a change the WAL is checkpointed. */
  checkpointAfterMs?: number;
  /** Creates the flusher that syncs the WAL to the disk. */
  flusher?: (logPath: string) => LogFlusher;
}

type Defaults = Required<Omit<NodeSqliteOptions, 'contents'>>;

const DEFAULTS: Defaults = {
  patienceMs: 5_000,
  idleTransactionMs: 10_000,
  reserveBytes: 0,
  checkpointAfterMs: 250,
  onTrouble: () => {},
  flusher: (logPath: string) => new LogFlusher(logPath),
};
const CHECK_EVERY_MS = 1_000;
/** The pauses between retries while another process writes. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [2, 50];
const FREE_WITHIN = 'select freelist_count * page_size as bytes from pragma_freelist_count, pragma_page_size';
const IN_MEMORY = ':memory:';
const WRITING_READER = /^\s*(?:insert|update|delete|replace)\b/i;

/**
 * Shares a single connection among its users in turn, each for one statement or one transaction. A turn never begins with another
 * user's transaction open: the driver rolls back abandoned transactions, and when that fails, closes and reopens the connection.
 * It acknowledges a change only once it is on the disk.
 */
export class NodeSqliteDriver implements Driver {
  private readonly options: NodeSqliteOptions & Defaults;
  private readonly turns: Turns<Lease>;
  private readonly urgent = new AsyncLocalStorage<UrgentWork>();
  private urgentWork: UrgentWork | null = null; // the work that holds the connection exclusively, if any
  private readonly reserve: SpaceReserve | null;
  private readonly log: LogFlusher | null; // null = the database is in memory
  private readonly checkpoints: LogCheckpoints | null; // null = the database is in memory
  private database: NodeSqliteDatabase | null = null; // null = not open
  private watch: NodeJS.Timeout | undefined;

  constructor(
    private readonly path: string,
    options: NodeSqliteOptions,
  ) {
    this.options = { ...DEFAULTS, ...options };
    this.turns = new Turns(this.options.patienceMs);
    const { reserveBytes, flusher, checkpointAfterMs } = this.options;
    const isFile = path !== IN_MEMORY;
    this.reserve = isFile && reserveBytes > 0 ? new SpaceReserve(`${path}-reserve`, reserveBytes) : null;
    this.log = isFile ? flusher(`${path}-wal`) : null;
    this.checkpoints = isFile ? new LogCheckpoints(path, checkpointAfterMs, (work) => this.undisturbed(work)) : null;
  }

  async init(): Promise<void> {
    await this.patiently(null, () => this.opened());
    this.reserve?.fill();
    this.watch = setInterval(
      () => this.endIdleTransaction(),
      Math.min(CHECK_EVERY_MS, this.options.idleTransactionMs),
    ).unref();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Lease(this, this.urgent.getStore());
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const lease = leaseOf(connection);
    if (!this.hasTurn(lease)) return;
    this.settle('a connection was released in the middle of a transaction, which was rolled back');
    this.turnsOf(lease).give(lease);
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const lease = leaseOf(connection);
    // Takes the write lock at once: a transaction that reads first and writes later would fail with SQLITE_BUSY, without waiting,
    // when another process has written in between.
    await this.inTurn(lease, () => this.opened().execute('begin immediate', []));
    lease.isInTransaction = true;
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const lease = leaseOf(connection);
    await this.inTurn(lease, () => this.opened().execute('commit', []));
    lease.isInTransaction = false;
    this.turnsOf(lease).give(lease);
    await this.flush();
  }

  // Never throws, because the earlier error is the one to report.
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const lease = leaseOf(connection);
    lease.isInTransaction = false;
    if (!this.hasTurn(lease)) return;
    this.rollBack();
    this.turnsOf(lease).give(lease);
  }

  async destroy(): Promise<void> {
    clearInterval(this.watch);
    await this.checkpoints?.close();
    await this.log?.close();
    this.database?.close();
    this.database = null;
  }

  /** Runs a statement. @throws TransactionOver when SQLite rolled its transaction back, or it was idle too long */
  async run<Row>(lease: Lease, sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const execute = () => this.opened().execute<Row>(sql, parameters);
    const result = await this.inTurn(lease, execute, /^\s*delete\b/i.test(sql));
    if (hasWritten(sql, result) && !this.hasTurn(lease)) await this.flush();
    return result;
  }

  async *stream<Row>(lease: Lease, sql: string, parameters: readonly unknown[]): AsyncGenerator<Row> {
    await this.takeTurn(lease);
    try {
      yield* this.opened().iterate<Row>(sql, parameters);
    } finally {
      this.endTurn(lease);
    }
  }

  /** Runs work in a turn of the lease. The turn ends afterwards, unless a transaction is open. */
  private async inTurn<Result>(lease: Lease, work: () => Result, isRemoval = false): Promise<Result> {
    await this.takeTurn(lease);
    try {
      return await this.patiently(lease, work);
    } catch (error) {
      if (isRemoval && isFull(error) && !lease.isInTransaction && this.reserve) {
        return await this.withReserve(this.reserve, work);
      }
      throw error;
    } finally {
      lease.lastUsedMs = performance.now();
      this.endTurn(lease);
    }
  }

  /** Runs work while nobody uses the connection. @throws SqliteBusy when its turn does not come in time */
  private async undisturbed(work: () => Promise<unknown>): Promise<void> {
    const lease = new Lease(this);
    await this.turns.take(lease);
    try {
      await work();
    } finally {
      this.turns.give(lease);
    }
  }

  /**
   * Runs work that must succeed on a full disk. Frees the reserved space when hardly any space is left, or when the work failed
   * for lack of it. Nobody else has a turn meanwhile, so nobody else takes that space.
   */
  async evenWhenFull<Result>(work: () => Promise<Result>): Promise<Result> {
    const { reserve } = this;
    if (!reserve || this.isUrgent(this.urgent.getStore())) return work();
    if (!reserve.isNeeded) {
      try {
        return await work();
      } catch (error) {
        if (!isFull(error) && !(error instanceof Error && isFull(error.cause))) throw error;
      }
    }
    const result = Promise.withResolvers<Result>();
    await this.undisturbed(async () => {
      await this.checkpoints?.idle();
      reserve.empty();
      this.urgentWork = { turns: new Turns(this.options.patienceMs) };
      await this.urgent.run(this.urgentWork, work).then(result.resolve, result.reject);
      this.urgentWork = null;
      this.settle('a transaction went on after the work that began it, and was rolled back');
      this.makeReserve(reserve);
    });
    return result.promise;
  }

  /** Resolves when the changes survive a power cut. */
  private async flush(): Promise<void> {
    await this.log?.flush();
    this.checkpoints?.due();
  }

  private async takeTurn(lease: Lease): Promise<void> {
    while (!this.hasTurn(lease)) {
      if (lease.isInTransaction) throw new TransactionOver(lease.endedBecause);
      await this.turnsOf(lease).take(lease);
    }
    if (lease.isInTransaction && !this.opened().isTransaction) {
      throw new TransactionOver('the transaction is over: SQLite has rolled it back after an error');
    }
  }

  private endTurn(lease: Lease): void {
    if (!lease.isInTransaction && !this.database?.isTransaction) this.turnsOf(lease).give(lease);
  }

  private turnsOf(lease: Lease): Turns<Lease> {
    return this.isUrgent(lease.work) ? lease.work.turns : this.turns;
  }

  private isUrgent(work: UrgentWork | undefined): work is UrgentWork {
    return work !== undefined && work === this.urgentWork;
  }

  private hasTurn(lease: Lease): boolean {
    return this.turnsOf(lease).holder === lease;
  }

  /** Retries while another process writes. Gives other users turns in between, because they may only read. */
  private async patiently<Result>(lease: Lease | null, work: () => Result): Promise<Result> {
    const deadline = performance.now() + this.options.patienceMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw error;
      }
      const keepsTurn = lease === null || lease.isInTransaction || this.opened().isTransaction;
      if (!keepsTurn) this.turnsOf(lease).give(lease);
      await new Promise((wake) => setTimeout(wake, pauseMs));
      if (!keepsTurn) await this.turnsOf(lease).take(lease);
    }
  }

  private async withReserve<Result>(reserve: SpaceReserve, work: () => Result): Promise<Result> {
    await this.checkpoints?.idle();
    reserve.empty();
    try {
      return work();
    } finally {
      this.makeReserve(reserve);
    }
  }

  private makeReserve(reserve: SpaceReserve): void {
    this.shrinkLog();
    const [{ bytes } = { bytes: 0 }] = this.opened().execute<{ bytes: number }>(FREE_WITHIN, []).rows;
    reserve.refill(bytes);
  }

  /** Checkpoints the WAL, which frees its disk space. */
  private shrinkLog(): void {
    try {
      this.opened().execute('pragma wal_checkpoint(truncate)', []);
    } catch {
      // The disk is too full even for that: the WAL stays as it is, and nothing is lost.
    }
  }

  /** Rolls back a transaction that has been idle too long: it may never end, and everyone else would wait for it. */
  private endIdleTransaction(): void {
    const lease = this.urgentWork ? this.urgentWork.turns.holder : this.turns.holder;
    const { idleTransactionMs } = this.options;
    if (!lease?.isInTransaction || performance.now() - lease.lastUsedMs < idleTransactionMs) return;
    lease.endedBecause = `the transaction was rolled back: it was idle for ${idleTransactionMs} ms`;
    this.settle(lease.endedBecause);
    this.turnsOf(lease).give(lease);
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
    this.log?.close().catch((error: unknown) => this.options.onTrouble(String(error)));
    this.options.onTrouble('a transaction could not be rolled back: its connection was closed');
  }

  private opened(): NodeSqliteDatabase {
    return (this.database ??= new NodeSqliteDatabase(this.path, this.options));
  }
}

/** Work that may use the reserved space. */
interface UrgentWork {
  /** The turns within its own turn. */
  turns: Turns<Lease>;
}

/** One user's hold on the connection. */
class Lease implements DatabaseConnection {
  isInTransaction = false;
  lastUsedMs = performance.now();
  endedBecause = 'the transaction is over';

  constructor(
    private readonly driver: NodeSqliteDriver,
    readonly work?: UrgentWork,
  ) {}

  executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return this.driver.run<Row>(this, sql, parameters);
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    for await (const row of this.driver.stream<Row>(this, sql, parameters)) yield { rows: [row] };
  }
}

function hasWritten(sql: string, { rows, numAffectedRows = 0n }: QueryResult<unknown>): boolean {
  return numAffectedRows > 0n || (rows.length > 0 && WRITING_READER.test(sql));
}

function leaseOf(connection: DatabaseConnection): Lease {
  if (connection instanceof Lease) return connection;
  throw new TypeError('this connection does not belong to this driver');
}
