import { resolve } from 'node:path';
import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { FolderWatcher } from './folder-watcher.js';
import { SerialQueue } from '../periodic/serial-queue.js';

interface ScanTimes {
  /** Debounce time: how long after the first of a group of changes to scan. */
  calmMs: number;
  /** Delay of a follow-up scan: what was unchanged in two scans is loaded, because it may still be being written. */
  settledMs: number;
}

/** Polling interval, because some file systems report no changes, and a folder may appear later. */
const SCAN_EVERY_MS = 10_000;

/** Scans a folder when it changes, and periodically; scans do not overlap. */
export abstract class FolderScans implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  protected readonly root: string;
  private readonly watcher: FolderWatcher;
  private readonly scans = new SerialQueue();
  private soon: NodeJS.Timeout | undefined;
  private polling: NodeJS.Timeout | undefined;
  private stopped = false;
  private problem: string | null = null; // null = the last scan succeeded

  protected constructor(
    folder: string,
    private readonly times: ScanTimes,
  ) {
    this.root = resolve(folder);
    this.watcher = new FolderWatcher(() => this.scanIn(times.calmMs));
  }

  /** Scans once; resolves to true to scan again soon. A failure is logged, and the next scan may succeed. */
  protected abstract scanOnce(nowMs: number): Promise<boolean>;

  protected get isStopped(): boolean {
    return this.stopped;
  }

  onApplicationBootstrap(): void | Promise<void> {
    this.poll();
    this.scanIn(0);
  }

  protected poll(): void {
    this.polling = setInterval(() => this.scanIn(0), SCAN_EVERY_MS).unref();
  }

  /** Scans after the previous scan has ended. @returns true to scan again soon */
  scan(nowMs = performance.now()): Promise<boolean> {
    return this.scans.run(() => this.scanOnce(nowMs));
  }

  /** Scans, and plans the next scan; a failure is logged. */
  protected async scanAndReport(): Promise<void> {
    try {
      const isUnsettled = await this.scan();
      this.problem = null;
      if (isUnsettled) this.scanIn(this.times.settledMs);
    } catch (error) {
      const problem = String(error);
      if (problem !== this.problem) this.logger.error(error); // of several identical ones, only the first
      this.problem = problem;
    }
  }

  protected watch(folders: readonly string[]): void {
    this.watcher.watch(folders);
  }

  /** Resolves when the running scan has ended. */
  protected settled(): Promise<void> {
    return this.scans.settled();
  }

  /** Stops scanning; resolves when the last scan has ended. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.polling);
    clearTimeout(this.soon);
    this.watcher.close();
    await this.scans.settled();
  }

  private scanIn(delayMs: number): void {
    if (this.stopped || this.soon) return;
    this.soon = setTimeout(() => {
      this.soon = undefined;
      this.scanAndReport().catch((error: unknown) => this.logger.error(error));
    }, delayMs).unref();
  }
}
