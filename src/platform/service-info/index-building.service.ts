import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Lack } from '../text/search-lacks.rules.js';

const RETRY_MS = 60_000;

/** Tracks the text indexes that are being built: until they are complete, searches miss results, and say so. */
@Injectable()
export class IndexBuilding implements BeforeApplicationShutdown {
  protected readonly retryMs: number = RETRY_MS;
  private readonly logger = new Logger('Search');
  private readonly unfinished = new Set<string>();
  private readonly retries = new Set<NodeJS.Timeout>();
  private isStopping = false;

  /** Builds the missing part of an index in the background. A failure is logged and retried after a minute. */
  begin(index: string, build: () => Promise<void>): void {
    this.unfinished.add(index);
    build().then(
      () => this.unfinished.delete(index),
      (error: unknown) => this.retry(error, () => this.begin(index, build)),
    );
  }

  list(): string[] {
    return [...this.unfinished];
  }

  /** Returns what is missing for searches of an index at the moment. */
  lacksOf(index: string): Set<Lack> {
    return new Set(this.unfinished.has(index) ? ['index'] : []);
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
    for (const retry of this.retries) clearTimeout(retry);
  }

  // When the service stops, the database is closed while a build still reads it.
  private retry(error: unknown, begin: () => void): void {
    if (this.isStopping) return;
    this.logger.error(error);
    const retry = setTimeout(() => {
      this.retries.delete(retry);
      begin();
    }, this.retryMs).unref();
    this.retries.add(retry);
  }
}
