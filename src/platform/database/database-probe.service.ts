import { statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Environment } from '../environment/environment.js';
import { DatabaseUnavailable } from './database.errors.js';
import { KeyValueStore } from './key-value.store.js';

/** Older failures say nothing about the current state. */
const RECENT_MS = 10_000;

/** Tracks the last lasting failure, such as a full disk, and logs its start and end. */
@Injectable()
export class DatabaseTroubles {
  onBegin: () => void = () => undefined;
  private readonly logger = new Logger('Database');
  private last: { problem: string; atMs: number } | null = null; // null = none yet
  private logged: string | null = null; // null = no failure is logged as ongoing

  readonly noteNow = (error: DatabaseUnavailable): void => this.note(error, performance.now());

  note({ problem, message, isLasting }: DatabaseUnavailable, nowMs: number): void {
    if (!isLasting) return;
    this.last = { problem, atMs: nowMs };
    if (this.logged === problem) return;
    this.logged = problem;
    this.logger.error(message);
    this.onBegin();
  }

  /** Call it whenever the database is found to work. */
  noteEnd(): void {
    if (this.logged === null) return;
    this.logged = null;
    this.logger.log('the database can be used again');
  }

  /** Returns the problem of the last 10 seconds; null when there was none. */
  recent(nowMs: number): string | null {
    return this.last && nowMs - this.last.atMs < RECENT_MS ? this.last.problem : null;
  }
}

const FACT = 'database.probe';
const PATIENCE_MS = 2_000;
/** How long to cache a result, because a probe writes to the database. */
const AGAIN_AFTER_MS = 1_000;
/** With less free space, the next document may not fit. */
const LEAST_FREE_BYTES = 16 * 1024 * 1024;

/** Tests whether the database works by writing to it; after a failure, until it works again. */
@Injectable()
export class DatabaseProbe implements OnModuleInit, BeforeApplicationShutdown {
  protected readonly watchMs: number = RECENT_MS;
  private watch: NodeJS.Timeout | undefined;
  private running: Promise<string | null> | null = null; // null = none is running
  private latest: { problem: string | null; atMs: number } | null = null; // null = no answer from the database since the last failure began

  constructor(
    private readonly facts: KeyValueStore,
    private readonly troubles: DatabaseTroubles,
    private readonly environment: Environment,
  ) {}

  onModuleInit(): void {
    this.troubles.onBegin = () => {
      this.latest = null;
      this.probeLater();
    };
  }

  beforeApplicationShutdown(): void {
    this.troubles.onBegin = () => undefined;
    clearTimeout(this.watch);
  }

  /** Returns the problem; null while the database responds, is writable, and has enough space. */
  async findProblem(patienceMs = PATIENCE_MS): Promise<string | null> {
    if (this.latest && performance.now() - this.latest.atMs < AGAIN_AFTER_MS) return this.latest.problem;
    const tooLate = new AbortController();
    this.running ??= this.probe().finally(() => (this.running = null));
    const problem = await Promise.race([
      this.running,
      pause(patienceMs, `does not answer within ${patienceMs} ms`, { signal: tooLate.signal, ref: false }),
    ]);
    tooLate.abort();
    return problem;
  }

  private async probe(): Promise<string | null> {
    const problem =
      (await this.writeProblem()) ?? this.troubles.recent(performance.now()) ?? (await this.roomProblem());
    this.latest = { problem, atMs: performance.now() };
    if (problem === null) this.troubles.noteEnd();
    return problem;
  }

  private probeLater(): void {
    clearTimeout(this.watch);
    this.watch = setTimeout(() => {
      const again = () => this.probeLater();
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
    const free = await freeBytes(this.environment.DATA_DIR);
    if (free === null) return 'the free space of the disk that holds DATA_DIR is not known';
    return free < LEAST_FREE_BYTES ? 'the disk that holds DATA_DIR is nearly full' : null;
  }
}

/** Returns the free space of the disk that holds a folder; null when the folder cannot be used. */
async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
