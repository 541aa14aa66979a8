import { type FileHandle, open } from 'node:fs/promises';

/**
 * Has the operating system write the log of the database to the disk, so that what was acknowledged outlasts a power cut,
 * too. It happens outside the main thread, and all who ask while it is going on share the next time.
 */
export class LogFlusher {
  private running: Promise<void> | null = null; // null = nobody waits
  private next: Promise<void> | null = null; // null = nobody came while it is running
  private file: FileHandle | null = null; // null = not open yet

  constructor(private readonly path: string) {}

  /** Resolves when everything is on the disk that was in the log when this was called. @throws Error of the file system */
  flush(): Promise<void> {
    if (this.running === null) return (this.running = this.sync().finally(() => (this.running = null)));
    // The one that is running may have begun before the latest write.
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = null;
        return this.flush();
      });
    return this.next;
  }

  /** To be called when the database is closed: another one may get another log. */
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

/** On the few file systems where SQLite can't keep a log, it has written to the disk itself. */
async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r+');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
