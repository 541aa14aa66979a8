import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { FactStore } from '../../database/fact.store.js';
import { EventBus } from '../../events/event-bus.service.js';
import { listImports } from './import-log.js';

const EVERY_MS = 5_000;

/** Watches for imports from the command line, which is a separate process, and sends their events. */
@Injectable()
export class ImportWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ImportWatch.name);
  private timer: NodeJS.Timeout | null = null;
  private told = new Set<string>();

  constructor(
    private readonly facts: FactStore,
    private readonly events: EventBus,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.told = new Set((await listImports(this.facts)).map(({ id }) => id));
    const tick = () => void this.tick().catch((error) => this.logger.error(error));
    this.timer = setInterval(tick, EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** Sends the events of the imports since the last tick. */
  async tick(): Promise<void> {
    const imports = await listImports(this.facts);
    const news = imports.filter(({ id }) => !this.told.has(id));
    this.told = new Set(imports.map(({ id }) => id));
    for (const { changes } of news.reverse()) {
      for (const change of changes) this.events.emit('knowledge.changed', change);
    }
  }
}
