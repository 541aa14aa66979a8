import { Injectable } from '@nestjs/common';
import { PeriodicWork } from '../../platform/periodic/periodic-work.js';
import { IndexBuilding } from '../../platform/service-info/index-building.service.js';
import { MemoryService } from './memory.service.js';

const EVERY_MS = 60_000;

/** Deletes expired entries every minute; at start, indexes entries that lack the current index format. */
@Injectable()
export class MemoryHousekeeping extends PeriodicWork {
  constructor(
    private readonly memory: MemoryService,
    private readonly building: IndexBuilding,
  ) {
    super(EVERY_MS);
  }

  override onApplicationBootstrap(): void {
    this.building.begin('memory', () => this.memory.indexMissing());
    this.begin();
  }

  tick(now: Date): Promise<unknown> {
    return this.memory.deleteExpired(now);
  }
}
