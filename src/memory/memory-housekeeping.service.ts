import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { MemoryService } from './memory.service.js';

const EVERY_MS = 60_000;

/** Deletes expired entries every minute; at start, indexes the entries that an import of the database brought. */
@Injectable()
export class MemoryHousekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MemoryHousekeeping.name);
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly memory: MemoryService) {}

  onApplicationBootstrap(): void {
    this.memory.indexMissing().catch((error: unknown) => this.logger.error(error));
    const tick = () => {
      this.memory.deleteExpired(new Date()).catch((error: unknown) => this.logger.error(error));
    };
    this.timer = setInterval(tick, EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
  }
}
