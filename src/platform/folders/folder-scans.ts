import { FolderWatcher } from './folder-watcher.js';

interface ScanOptions {
  /** Scans once; resolves to true to scan again soon, because a file may still be being written. */
  scan: () => Promise<boolean>;
  /** Called with the first of several identical errors of scans. The next scan may succeed. */
  onError: (error: unknown) => void;
  /** Debounce time: how long after the first change to scan, in milliseconds. */
  calmMs: number;
  /** Delay of a follow-up scan, in milliseconds. */
  settledMs: number;
}

/** Polling interval, because some file systems report no changes, and a folder may appear later. */
const SCAN_EVERY_MS = 10_000;

/** Scans a folder when it changes, and periodically; scans do not overlap. */
export class FolderScans {
  private readonly watcher: FolderWatcher;
  private last: Promise<unknown> = Promise.resolve();
  private soon: NodeJS.Timeout | undefined;
  private polling: NodeJS.Timeout | undefined;
  private stopped = false;
  private problem: string | null = null; // null = the last scan succeeded

  constructor(private readonly options: ScanOptions) {
    this.watcher = new FolderWatcher(() => this.scanIn(options.calmMs));
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  begin(): void {
    this.polling = setInterval(() => this.scanIn(0), SCAN_EVERY_MS).unref();
    this.scanIn(0);
  }

  /** Scans after the previous scan has ended. @returns true to scan again soon */
  scan(): Promise<boolean> {
    const turn = this.last.then(() => this.options.scan());
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** Replaces the set of watched folders. */
  watch(folders: readonly string[]): void {
    this.watcher.watch(folders);
  }

  /** Resolves when the running scan has ended. */
  async settled(): Promise<void> {
    await this.last;
  }

  /** Stops scanning; resolves when the last scan has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.polling);
    clearTimeout(this.soon);
    this.watcher.close();
    await this.last;
  }

  private scanIn(delayMs: number): void {
    if (this.stopped || this.soon) return;
    this.soon = setTimeout(() => {
      this.soon = undefined;
      this.scan().then(
        (isUnsettled) => {
          this.problem = null;
          if (isUnsettled) this.scanIn(this.options.settledMs);
        },
        (error: unknown) => this.failed(error),
      );
    }, delayMs).unref();
  }

  private failed(error: unknown): void {
    const problem = String(error);
    if (problem !== this.problem) this.options.onError(error);
    this.problem = problem;
  }
}
