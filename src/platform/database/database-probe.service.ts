import { statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Environment } from '../environment/environment.js';
import { DatabaseUnavailable } from './database.errors.js';
import { KeyValueStore } from './key-value.store.js';

/** A failure longer ago than this says nothing about the present. */
const RECENT_MS = 10_000;

/** Remembers the last failure that does not pass by itself, such as a full disk. */
@Injectable()
export class DatabaseTroubles {
  private last: { problem: string; atMs: number } | null = null; // null = none yet

  note({ problem, isLasting }: DatabaseUnavailable, nowMs: number): void {
    if (isLasting) this.last = { problem, atMs: nowMs };
  }

  /** Returns what was wrong in the last 10 seconds; null when nothing was. */
  recent(nowMs: number): string | null {
    return this.last && nowMs - this.last.atMs < RECENT_MS ? this.last.problem : null;
  }
}

const FACT = 'database.probe';
const PATIENCE_MS = 2_000;
/** A probe writes to the database, so its result is reused for this time. */
const AGAIN_AFTER_MS = 1_000;
/** With less room than this, the next document may not fit. */
const LEAST_FREE_BYTES = 16 * 1024 * 1024;

/** Finds out whether the database can be used by writing to it. */
@Injectable()
export class DatabaseProbe {
  private running: Promise<string | null> | null = null; // null = none is running
  private latest: { problem: string | null; atMs: number } | null = null; // null = the database has never answered

  constructor(
    private readonly facts: KeyValueStore,
    private readonly troubles: DatabaseTroubles,
    private readonly environment: Environment,
  ) {}

  /** Returns what is wrong; null while the database answers, can be written, and has enough room. */
  async findProblem(): Promise<string | null> {
    if (this.latest && performance.now() - this.latest.atMs < AGAIN_AFTER_MS) return this.latest.problem;
    const tooLate = new AbortController();
    this.running ??= this.look().finally(() => (this.running = null));
    const problem = await Promise.race([
      this.running,
      pause(PATIENCE_MS, `does not answer within ${PATIENCE_MS} ms`, { signal: tooLate.signal, ref: false }),
    ]);
    tooLate.abort();
    return problem;
  }

  private async look(): Promise<string | null> {
    const problem =
      (await this.writeProblem()) ?? this.troubles.recent(performance.now()) ?? (await this.roomProblem());
    this.latest = { problem, atMs: performance.now() };
    return problem;
  }

  private async writeProblem(): Promise<string | null> {
    try {
      await this.facts.save(FACT, '');
      return null;
    } catch (error) {
      return error instanceof DatabaseUnavailable ? error.problem : 'cannot be written';
    }
  }

  private async roomProblem(): Promise<string | null> {
    if (this.environment.DATABASE_URL !== null) return null;
    const { bavail, bsize } = await statfs(this.environment.DATA_DIR);
    return bavail * bsize < LEAST_FREE_BYTES ? 'the disk that holds DATA_DIR is nearly full' : null;
  }
}
