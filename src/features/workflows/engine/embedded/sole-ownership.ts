import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { PARTITIONS } from '../../runs/execution/claimed-run.js';
import { DataDirInUse } from './embedded.errors.js';
import { Ownership } from './ownership.js';

const ALL = Array.from({ length: PARTITIONS }, (_, partition) => partition);
/** How long a process that stops may take to let go. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 100;

/**
 * Owns everything: for the embedded database, on which one process executes runs. A lock on a file, which the operating
 * system frees when the process dies, keeps a second one out.
 */
export class SoleOwnership extends Ownership {
  private lock: DatabaseSync | null = null; // null = not taken (yet)

  /** @param lockFile null = nobody else can know of the database, because it is in memory */
  constructor(
    private readonly lockFile: string | null,
    private readonly patienceMs = PATIENCE_MS,
  ) {
    super();
  }

  owned(): readonly number[] {
    return ALL;
  }

  isLeaving(): boolean {
    return false;
  }

  partitionForNew(): number {
    return 0;
  }

  /** @throws DataDirInUse when another process uses the database, and keeps doing so */
  async refresh(): Promise<void> {
    if (this.lock || this.lockFile === null) return;
    for (const deadline = performance.now() + this.patienceMs; !this.lock; await pause(RETRY_MS)) {
      this.lock = tryLock(this.lockFile);
      if (!this.lock && performance.now() > deadline) throw new DataDirInUse(this.lockFile);
    }
  }

  onLost(): void {
    // It never is.
  }

  async close(): Promise<void> {
    this.lock?.close();
    this.lock = null;
  }
}

/** Locks a file of SQLite's, which holds nothing. Returns null when another process has locked it. */
function tryLock(file: string): DatabaseSync | null {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive');
    return lock;
  } catch {
    lock.close();
    return null;
  }
}
