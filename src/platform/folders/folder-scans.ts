import { FolderWatcher } from './folder-watcher.js';

interface LooksOptions {
  /** Scans once; resolves to true to scan again soon, because a file may still be being written. */
  look: () => Promise<boolean>;
  /** Called with the first of several identical errors of scans. The next scan may succeed. */
  onError: (error: unknown) => void;
  /** Debounce time: how long after the first change to scan, in milliseconds. */
  calmMs: number;
  /** Delay of a follow-up scan, in milliseconds. */
  settledMs: number;
}

/** Polling interval, because some file systems report no changes, and a folder may appear later. */
const LOOK_ANYWAY_MS = 10_000;

/** Scans a folder when it changes, and periodically; scans do not overlap. */
export class FolderLooks {
  private readonly watcher: FolderWatcher;
  private last: Promise<unknown> = Promise.resolve();
  private soon: NodeJS.Timeout | undefined;
  private anyway: NodeJS.Timeout | undefined;
  private stopped = false;
  private problem: string | null = null; // null = the last scan succeeded

  constructor(private readonly options: LooksOptions) {
    this.watcher = new FolderWatcher(() => this.lookIn(options.calmMs));
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  begin(): void {
    this.anyway = setInterval(() => this.lookIn(0), LOOK_ANYWAY_MS).unref();
    this.lookIn(0);
  }

  /** Scans after the previous scan has ended. @returns true to scan again soon */
  look(): Promise<boolean> {
    const turn = this.last.then(() => this.options.look());
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
    clearInterval(this.anyway);
    clearTimeout(this.soon);
    this.watcher.close();
    await this.last;
  }

  private lookIn(delayMs: number): void {
    if (this.stopped || this.soon) return;
    this.soon = setTimeout(() => {
      this.soon = undefined;
      this.look().then(
        (isUnsettled) => {
          this.problem = null;
          if (isUnsettled) this.lookIn(this.options.settledMs);
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
