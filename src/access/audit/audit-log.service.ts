import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseUnavailable } from '../../platform/database/database.errors.js';
import { AuditAppendStore, type Appended } from './audit-append.store.js';
import { MOST_ENTRIES } from './audit-batch.rules.js';
import type { AuditEntry } from './audit-entry.js';
import { toRecord } from './audit-record.rules.js';
import { AuditUnavailable } from './audit.errors.js';
import { AuditQueue, type QueuedEntry } from './audit-queue.js';

/** How long an entry waits for others, to be written in one batch. */
const GATHER_MS = 200;
/** This many entries are written without waiting for more. */
const ENOUGH = MOST_ENTRIES;
/** How long preparing entries may block the main thread while few new ones arrive. */
const TURN_MS = 0.5;
const RETRY_MS = 1_000;
const SHUTDOWN_TRIES = 3;
/** How often a batch is retried that a working database refuses. */
const MOST_REFUSALS = 3;

const isDiskFull = (error: unknown): boolean => error instanceof DatabaseUnavailable && error.isDiskFull;

interface Waiting {
  entry: AuditEntry;
  settle: PromiseWithResolvers<void> | null; // null = nobody awaits it
}

type QueuedBatch = Appended & { entries: readonly QueuedEntry[] };

/**
 * Records audit entries. They are gathered and written in batches in the background, and are durable within a second. If the
 * database fails, entries wait in memory, within limits; a `gap` entry then has the number of dropped ones.
 */
@Injectable()
export class AuditLog implements OnApplicationShutdown {
  private readonly logger = new Logger(AuditLog.name);
  private waiting: Waiting[] = [];
  private readonly queue = new AuditQueue();
  private timer: NodeJS.Timeout | null = null;
  private isUrgent = false; // true = the timer fires as soon as possible
  private gathering: Promise<void> | null = null;
  private writing: Promise<void> | null = null;
  private batch: QueuedBatch | null = null; // the batch that has not been written yet
  private failure: unknown = null; // null = the last batch was written
  private hasNoRoom = false; // true = only urgent batches, of changes by administrators, can be written
  private refusals = 0;

  constructor(private readonly store: AuditAppendStore) {}

  /**
   * Records an entry soon. Returns immediately, and never throws. Nobody may change the objects that the entry refers to
   * afterwards.
   */
  record(entry: AuditEntry): void {
    this.waiting.push({ entry, settle: null });
    this.schedule(this.waiting.length >= ENOUGH ? 0 : GATHER_MS);
  }

  /** Records an entry, and resolves when it is durable. @throws AuditUnavailable; the entry is then written later if possible */
  recordNow(entry: AuditEntry): Promise<void> {
    const settle = Promise.withResolvers<void>();
    this.waiting.push({ entry, settle });
    this.schedule(0);
    return settle.promise;
  }

  /** Checks that changes by administrators can be recorded. @throws AuditUnavailable */
  assertWorking(): void {
    if (!this.hasNoRoom) this.assertWritten();
  }

  private assertWritten(): void {
    if (this.failure !== null) throw new AuditUnavailable(this.failure);
  }

  /** Makes a change that, like its entry, must be possible on a full disk. */
  evenWhenFull<Result>(change: () => Promise<Result>): Promise<Result> {
    return this.store.evenWhenFull(change);
  }

  /** Writes all recorded entries. @throws AuditUnavailable */
  async flush(): Promise<void> {
    do {
      await this.writeWaiting();
    } while (this.waiting.length > 0 || !this.queue.isEmpty);
  }

  async onApplicationShutdown(): Promise<void> {
    for (let tries = 0; tries < SHUTDOWN_TRIES; tries += 1) {
      try {
        await this.flush();
        break;
      } catch (error) {
        this.logger.warn(`entries of the audit log could not be written: ${String(error)}`);
      }
    }
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const lost = this.waiting.length + this.queue.size + (this.batch?.entries.length ?? 0);
    if (lost > 0)
      this.logger.error(`${lost} entries of the audit log are lost: they could not be written before the end`);
  }

  private schedule(afterMs: number): void {
    if (this.timer && (afterMs > 0 || this.isUrgent)) return;
    if (this.timer) clearTimeout(this.timer);
    this.isUrgent = afterMs === 0;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.isUrgent = false;
      this.writeWaiting().catch((error: unknown) => this.retryLater(error));
    }, afterMs);
    this.timer.unref();
  }

  /** Writes the waiting entries. Entries that arrive meanwhile are gathered for the next batch. */
  private async writeWaiting(): Promise<void> {
    await this.gather();
    await this.write();
    this.assertWritten();
  }

  private retryLater(error: unknown): void {
    this.logger.warn({ err: error }, 'the audit log could not be written, and is tried again');
    this.schedule(RETRY_MS);
  }

  /** Prepares the waiting entries in turns, even while the database does not respond: unprepared entries may be large. */
  private gather(): Promise<void> {
    return (this.gathering ??= this.prepareAll().finally(() => (this.gathering = null)));
  }

  private async prepareAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const entries = this.waiting;
      this.waiting = [];
      let turnEndsAt = performance.now() + TURN_MS;
      for (const { entry, settle } of entries) {
        this.queue.add(entry, toRecord(entry), settle);
        if (performance.now() < turnEndsAt || this.waiting.length > ENOUGH) continue;
        this.writeMeanwhile();
        await new Promise((resolve) => setImmediate(resolve));
        turnEndsAt = performance.now() + TURN_MS;
      }
    }
  }

  /** Writes prepared entries early when there are many: on a busy machine, new ones may arrive during the whole preparation. */
  private writeMeanwhile(): void {
    if (this.queue.size < ENOUGH || this.failure !== null) return;
    this.write().catch((error: unknown) => this.retryLater(error));
  }

  private write(): Promise<void> {
    return (this.writing ??= this.writeAll().finally(() => (this.writing = null)));
  }

  private async writeAll(): Promise<void> {
    for (;;) {
      this.batch ??= this.nextBatch();
      if (!this.batch) return;
      const { entries } = this.batch;
      try {
        await this.store.append(this.batch);
      } catch (error) {
        this.failure = error;
        this.hasNoRoom = this.store.hasReserve && !this.batch.isUrgent && isDiskFull(error);
        if (this.hasNoRoom) {
          // Nothing of the batch was written: now write only the entries that somebody awaits.
          this.queue.requeue(entries);
          this.batch = null;
          if (this.queue.hasAwaited) continue;
          return;
        }
        for (const { settle } of entries) settle?.reject(new AuditUnavailable(error));
        this.queue.rejectWaiting(new AuditUnavailable(error));
        this.dropRefused(entries, error);
        return;
      }
      this.hasNoRoom &&= this.batch.isUrgent;
      this.failure = null;
      this.refusals = 0;
      this.batch = null;
      for (const { settle } of entries) settle?.resolve();
    }
  }

  // A batch that the database refuses because of its content would block all others.
  private dropRefused(entries: readonly QueuedEntry[], error: unknown): void {
    if (error instanceof DatabaseUnavailable) return;
    this.logger.error(error);
    this.refusals += 1;
    if (this.refusals < MOST_REFUSALS) return;
    this.refusals = 0;
    this.batch = null;
    this.queue.drop(entries);
  }

  private nextBatch(): QueuedBatch | null {
    const isUrgent = this.hasNoRoom && this.queue.hasAwaited;
    const entries = isUrgent ? this.queue.takeAwaited() : this.queue.takeBatch();
    if (entries.length === 0) return null;
    const calls = entries.flatMap(({ call }) => (call ? [call] : []));
    const records = entries.map(({ record }) => record);
    return { entries, records, calls, isUrgent, tried: null };
  }
}
