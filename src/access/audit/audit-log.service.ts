import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseUnavailable } from '../../platform/database/database.errors.js';
import { AuditAppendStore, type Appended } from './audit-append.store.js';
import { MOST_ENTRIES } from './audit-batch.rules.js';
import type { AuditEntry } from './audit-entry.js';
import { toRecord } from './audit-record.rules.js';
import { AuditUnavailable } from './audit.errors.js';
import { AuditQueue, type QueuedEntry } from './audit-queue.js';

/** How long an entry waits for others to be written with. */
const GATHER_MS = 200;
/** Entries after which they are written without waiting for more. */
const ENOUGH = MOST_ENTRIES;
/** How long the preparation of entries may hold the main thread while few new ones come. */
const TURN_MS = 2;
const RETRY_MS = 1_000;
const SHUTDOWN_TRIES = 3;
/** How often a batch is tried that the database refuses although it works. */
const MOST_REFUSALS = 3;

const isDiskFull = (error: unknown): boolean => error instanceof DatabaseUnavailable && error.isDiskFull;

interface Waiting {
  entry: AuditEntry;
  settle: PromiseWithResolvers<void> | null; // null = nobody waits for it
}

type QueuedBatch = Appended & { entries: readonly QueuedEntry[] };

/**
 * Records what happens. Entries are gathered and written in batches, off the path of those who record them: whatever is
 * recorded is durable within a second, unless the database fails; then entries wait in memory, within limits, and a
 * `gap` entry tells how many were dropped.
 */
@Injectable()
export class AuditLog implements OnApplicationShutdown {
  private readonly logger = new Logger(AuditLog.name);
  private waiting: Waiting[] = [];
  private readonly queue = new AuditQueue();
  private timer: NodeJS.Timeout | null = null;
  private isUrgent = false; // whether the timer is for as soon as possible
  private gathering: Promise<void> | null = null;
  private writing: Promise<void> | null = null;
  private batch: QueuedBatch | null = null; // the one that has not been written yet
  private failure: unknown = null; // null = the last batch was written
  private hasNoRoom = false; // whether only urgent batches, of what administrators do, can be written
  private refusals = 0;

  constructor(private readonly store: AuditAppendStore) {}

  /** Records an entry soon. Returns at once, and never throws. Nobody may change what the entry refers to afterwards. */
  record(entry: AuditEntry): void {
    this.waiting.push({ entry, settle: null });
    this.schedule(this.waiting.length >= ENOUGH ? 0 : GATHER_MS);
  }

  /** Records an entry, and resolves when it is durable. @throws AuditUnavailable; then the entry is written later if possible */
  recordNow(entry: AuditEntry): Promise<void> {
    const settle = Promise.withResolvers<void>();
    this.waiting.push({ entry, settle });
    this.schedule(0);
    return settle.promise;
  }

  /** Checks that what an administrator does can be recorded. @throws AuditUnavailable */
  assertWorking(): void {
    if (!this.hasNoRoom) this.assertWritten();
  }

  private assertWritten(): void {
    if (this.failure !== null) throw new AuditUnavailable(this.failure);
  }

  /** Makes a change that must be possible on a full disk, as its entry is. */
  evenWhenFull<Result>(change: () => Promise<Result>): Promise<Result> {
    return this.store.evenWhenFull(change);
  }

  /** Writes everything that has been recorded. @throws AuditUnavailable */
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

  /** Writes what waits now: what comes meanwhile is gathered for a batch of its own. */
  private async writeWaiting(): Promise<void> {
    await this.gather();
    await this.write();
    this.assertWritten();
  }

  private retryLater(error: unknown): void {
    this.logger.warn(`the audit log could not be written, and is tried again: ${String(error)}`);
    this.schedule(RETRY_MS);
  }

  /** Prepares what is waiting, in turns; whether the database answers or not, because what waits may be large. */
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

  /** Writes what is prepared, where that is much: on a busy machine, more may come for as long as it is prepared. */
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
          // Nothing of it was written: what somebody waits for is written alone.
          this.queue.putBack(entries);
          this.batch = null;
          if (this.queue.hasAwaited) continue;
          return;
        }
        for (const { settle } of entries) settle?.reject(new AuditUnavailable(error));
        this.queue.rejectWaiting(new AuditUnavailable(error));
        this.giveUpOn(entries, error);
        return;
      }
      this.hasNoRoom &&= this.batch.isUrgent;
      this.failure = null;
      this.refusals = 0;
      this.batch = null;
      for (const { settle } of entries) settle?.resolve();
    }
  }

  // A batch that the database refuses for what it holds would keep all others from being written.
  private giveUpOn(entries: readonly QueuedEntry[], error: unknown): void {
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
