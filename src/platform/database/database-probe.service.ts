import { statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Environment } from '../environment/environment.js';
import { DatabaseUnavailable } from './database.errors.js';
import { KeyValueStore } from './key-value.store.js';

/** A failure longer ago than this says nothing about the present. */
const RECENT_MS = 10_000;

/** Remembers the last failure that does not pass by itself, such as a full disk, and logs when it begins and ends. */
@Injectable()
export class DatabaseTroubles {
  /** Called when a failure begins. */
  onBegin: () => void = () => undefined;
  private readonly logger = new Logger('Database');
  private last: { problem: string; atMs: number } | null = null; // null = none yet
  private logged: string | null = null; // null = the log names none that is not over

  note({ problem, message, isLasting }: DatabaseUnavailable, nowMs: number): void {
    if (!isLasting) return;
    this.last = { problem, atMs: nowMs };
    if (this.logged === problem) return;
    this.logged = problem;
    this.logger.error(message);
    this.onBegin();
  }

  /** Call it whenever the database is found to be as it should be. */
  noteEnd(): void {
    if (this.logged === null) return;
    this.logged = null;
    this.logger.log('the database can be used again');
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

/** Finds out whether the database can be used by writing to it; after a failure, until it is over. */
@Injectable()
export class DatabaseProbe implements OnModuleInit, BeforeApplicationShutdown {
  protected readonly watchMs: number = RECENT_MS;
  private watch: NodeJS.Timeout | undefined;
  private running: Promise<string | null> | null = null; // null = none is running
  private latest: { problem: string | null; atMs: number } | null = null; // null = since the last failure began, the database has not answered

  constructor(
    private readonly facts: KeyValueStore,
    private readonly troubles: DatabaseTroubles,
    private readonly environment: Environment,
  ) {}

  onModuleInit(): void {
    this.troubles.onBegin = () => {
      this.latest = null;
      this.lookLater();
    };
  }

  beforeApplicationShutdown(): void {
    this.troubles.onBegin = () => undefined;
    clearTimeout(this.watch);
  }

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
    if (problem === null) this.troubles.noteEnd();
    return problem;
  }

  private lookLater(): void {
    clearTimeout(this.watch);
    this.watch = setTimeout(() => {
      const again = () => this.lookLater();
      this.findProblem().then((problem) => problem !== null && again(), again);
    }, this.watchMs).unref();
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
