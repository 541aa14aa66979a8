import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';

/** Each takes a place in a list of the system that is not long. */
const MOST_WATCHED = 2_000;

/** Watches folders, each without those in it, and says that something has changed. */
export class FolderWatcher {
  private readonly watchers = new Map<string, FSWatcher>();

  constructor(private readonly onChange: () => void) {}

  /** Watches these folders from now on, and no others. One that cannot be watched is left out. */
  watch(folders: readonly string[]): void {
    const wanted = new Set(folders.slice(0, MOST_WATCHED));
    for (const folder of this.watchers.keys()) if (!wanted.has(folder)) this.end(folder);
    for (const folder of wanted) if (!this.watchers.has(folder)) this.begin(folder);
  }

  close(): void {
    this.watch([]);
  }

  private begin(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        // The folder itself is gone, perhaps: one that is made again in its place is another one.
        if (name === basename(folder)) this.end(folder);
        this.onChange();
      });
      watcher.on('error', () => this.end(folder));
      this.watchers.set(folder, watcher);
    } catch {
      // It is gone, or the system watches enough already: the next look finds what changed.
    }
  }

  private end(folder: string): void {
    this.watchers.get(folder)?.close();
    this.watchers.delete(folder);
  }
}
