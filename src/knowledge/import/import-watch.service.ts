import { Injectable } from '@nestjs/common';
import { FactStore } from '../../database/fact.store.js';
import { EventBus } from '../../events/event-bus.service.js';
import { PeriodicWork } from '../../periodic/periodic-work.js';
import { listImports } from './import-log.js';

const EVERY_MS = 5_000;

/** Watches for imports from the command line, which is a separate process, and sends their events. */
@Injectable()
export class ImportWatch extends PeriodicWork {
  private told = new Set<string>();

  constructor(
    private readonly facts: FactStore,
    private readonly events: EventBus,
  ) {
    super(EVERY_MS);
  }

  override async onApplicationBootstrap(): Promise<void> {
    this.told = new Set((await listImports(this.facts)).map(({ id }) => id));
    this.begin();
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
