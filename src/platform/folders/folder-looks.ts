import { FolderWatcher } from './folder-watcher.js';

interface LooksOptions {
  /** Looks once; resolves with whether to look again soon, because something may be in the middle of being written. */
  look: () => Promise<boolean>;
  /** A look that failed, the first of several with the same error. The next one may do better. */
  onError: (error: unknown) => void;
  /** Changes come in groups: how long after the first of them to look, in milliseconds. */
  calmMs: number;
  /** How long after a look to look again soon, in milliseconds. */
  settledMs: number;
}

/** Some file systems report no changes, and a folder may appear later. */
const LOOK_ANYWAY_MS = 10_000;

/** Looks at a folder when it changes, and every now and then; one look after the other. */
export class FolderLooks {
  private readonly watcher: FolderWatcher;
  private last: Promise<unknown> = Promise.resolve();
  private soon: NodeJS.Timeout | undefined;
  private anyway: NodeJS.Timeout | undefined;
  private stopped = false;
  private problem: string | null = null; // null = the last look went well

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

  /** Looks when the look before has ended. @returns whether to look again soon */
  look(): Promise<boolean> {
    const turn = this.last.then(() => this.options.look());
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** Looks at changes of these folders from now on, and of no others. */
  watch(folders: readonly string[]): void {
    this.watcher.watch(folders);
  }

  /** Resolves when the look that is under way has ended. */
  async settled(): Promise<void> {
    await this.last;
  }

  /** Looks no more; resolves when the last look has ended. */
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
