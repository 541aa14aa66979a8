import { Injectable } from '@nestjs/common';
import { PeriodicWork } from '../periodic/periodic-work.js';
import { MemoryService } from './memory.service.js';

const EVERY_MS = 60_000;

/** Deletes expired entries every minute; at start, indexes the entries that an import of the database brought. */
@Injectable()
export class MemoryHousekeeping extends PeriodicWork {
  constructor(private readonly memory: MemoryService) {
    super(EVERY_MS);
  }

  override onApplicationBootstrap(): void {
    this.memory.indexMissing().catch((error: unknown) => this.logger.error(error));
    this.begin();
  }

  tick(now: Date): Promise<unknown> {
    return this.memory.deleteExpired(now);
  }
}
