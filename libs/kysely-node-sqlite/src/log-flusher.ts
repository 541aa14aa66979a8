import { type FileHandle, open } from 'node:fs/promises';

/**
 * Syncs the WAL to the disk, so that acknowledged changes survive a power cut. Runs outside the main thread; all calls during a
 * running flush share the next one.
 */
export class LogFlusher {
  private running: Promise<void> | null = null; // null = no flush is running
  private next: Promise<void> | null = null; // null = no call since the running flush started
  private file: FileHandle | null = null; // null = not open yet

  constructor(private readonly path: string) {}

  /** Resolves when everything in the WAL now is on the disk. @throws Error of the file system */
  flush(): Promise<void> {
    if (this.running === null) return (this.running = this.sync().finally(() => (this.running = null)));
    // The running flush may have started before the latest write.
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = null;
        return this.flush();
      });
    return this.next;
  }

  /** Closes the WAL file. Call it when the database is closed, because the next database may use another WAL file. */
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

/** Opens the WAL; returns null when there is none: on some file systems SQLite keeps no WAL and syncs to the disk itself. */
async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r+');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
