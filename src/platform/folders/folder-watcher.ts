import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';

/** Each uses one of the system's limited watches. */
const MOST_WATCHED = 2_000;

/** Watches folders, without their subfolders, and reports that something has changed. */
export class FolderWatcher {
  private readonly watchers = new Map<string, FSWatcher>();

  constructor(private readonly onChange: () => void) {}

  /** Replaces the set of watched folders. Skips those that cannot be watched. */
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
        // The folder itself may have been deleted; a recreated one needs a new watcher.
        if (name === basename(folder)) this.end(folder);
        this.onChange();
      });
      watcher.on('error', () => this.end(folder));
      this.watchers.set(folder, watcher);
    } catch {
      // It was deleted, or the system's watches are used up: the next scan finds the changes.
    }
  }

  private end(folder: string): void {
    this.watchers.get(folder)?.close();
    this.watchers.delete(folder);
  }
}
