import { type FileHandle, open } from 'node:fs/promises';

/**
 * Makes the operating system write the log of the database to the disk, so that acknowledged changes survive a power
 * cut. Runs outside the main thread; all calls during a running flush share the next one.
 */
export class LogFlusher {
  private running: Promise<void> | null = null; // null = none is running
  private next: Promise<void> | null = null; // null = no call came during the running one
  private file: FileHandle | null = null; // null = not open yet

  constructor(private readonly path: string) {}

  /** Resolves when everything that is in the log now is on the disk. @throws Error of the file system */
  flush(): Promise<void> {
    if (this.running === null) return (this.running = this.sync().finally(() => (this.running = null)));
    // The running flush may have begun before the latest write.
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = null;
        return this.flush();
      });
    return this.next;
  }

  /** Closes the log file. Call it when the database is closed, because the next one may use another log file. */
  async close(): Promise<void> {
    const { file } = this;
    this.file = null;
    await file?.close();
  }

  protected async sync(): Promise<void> {
    this.file ??= await openIfThere(this.path);
    await this.file?.datasync();
  }
}

/**
 * Opens the log; returns null when there is none: on some file systems SQLite keeps no log and writes to the disk
 * itself.
 */
async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r+');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
