import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../environment/environment.js';
import { prepareLockFile } from './data-folder.js';
import { DataDirInUse, DataDirNotWritable } from './database.errors.js';

/** How long to wait for another process to stop. */
const PATIENCE_MS = 20_000;
const LONG_MS = 1_000;
const RETRY_MS = 100;

/**
 * Locks a data folder before anything in it is read or changed: a second process would not know what the first one has in memory.
 * The operating system releases the lock when the process dies.
 */
export class DataFolderLock {
  /** @param lock null = no lock needed: the data is in PostgreSQL */
  private constructor(private readonly lock: DatabaseSync | null) {}

  /**
   * Takes the lock, and waits for a process that is stopping.
   * @throws DataDirInUse when another process keeps the folder locked; DataDirNotWritable
   */
  static async take({ DATABASE_URL, DATA_DIR }: Environment, patienceMs = PATIENCE_MS): Promise<DataFolderLock> {
    if (DATABASE_URL !== null) return new DataFolderLock(null);
    const file = prepareLockFile(DATA_DIR);
    const folder = dirname(file);
    const startedAtMs = performance.now();
    let isLogged = false;
    for (;;) {
      const lock = tryLock(file);
      if (lock) return new DataFolderLock(lock);
      const waited = performance.now() - startedAtMs;
      if (waited >= patienceMs) throw new DataDirInUse(folder);
      if (waited >= LONG_MS && !isLogged) {
        console.error(`Waiting for another process to let go of the data folder ${folder}`);
        isLogged = true;
      }
      await pause(RETRY_MS);
    }
  }

  release(): void {
    if (this.lock?.isOpen) this.lock.close();
  }
}

/** Locks an empty SQLite file. Returns null when another process has locked it. @throws DataDirNotWritable */
function tryLock(file: string): DatabaseSync | null {
  let lock: DatabaseSync | null = null;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec('pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive');
    return lock;
  } catch (error) {
    lock?.close();
    const { errcode = 0, message = '' } = error as { errcode?: number; message?: string };
    if ((errcode & 0xff) === BUSY) return null;
    throw new DataDirNotWritable(dirname(file), `${basename(file)}: ${message}`);
  }
}

/** The result code of SQLite for a file that another process has locked. */
const BUSY = 5;
