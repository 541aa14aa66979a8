import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';

/** Knows which text indexes are being built: until they are whole, searches do not find everything. */
@Injectable()
export class IndexBuilding implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Search');
  private readonly unfinished = new Set<string>();
  private isStopping = false;

  /** Builds what an index lacks, in the background. A failure is logged; the next start tries again. */
  begin(index: string, build: () => Promise<void>): void {
    this.unfinished.add(index);
    build()
      .catch((error: unknown) => this.noteFailure(error))
      .finally(() => this.unfinished.delete(index));
  }

  /** Returns the indexes that are being built. */
  list(): string[] {
    return [...this.unfinished];
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  // The database is closed while a build still reads it when the service stops.
  private noteFailure(error: unknown): void {
    if (!this.isStopping) this.logger.error(error);
  }
}
