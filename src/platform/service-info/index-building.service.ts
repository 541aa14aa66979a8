import { Injectable, Logger } from '@nestjs/common';

/** Knows which text indexes are being built: until they are whole, searches do not find everything. */
@Injectable()
export class IndexBuilding {
  private readonly logger = new Logger('Search');
  private readonly unfinished = new Set<string>();

  /** Builds what an index lacks, in the background. A failure is logged; the next start tries again. */
  begin(index: string, build: () => Promise<void>): void {
    this.unfinished.add(index);
    build()
      .catch((error: unknown) => this.logger.error(error))
      .finally(() => this.unfinished.delete(index));
  }

  /** Returns the indexes that are being built. */
  list(): string[] {
    return [...this.unfinished];
  }
}
