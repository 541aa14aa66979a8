import { Injectable } from '@nestjs/common';
import { KeyValueStore } from '../../../platform/database/key-value.store.js';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import { PeriodicWork } from '../../../platform/periodic/periodic-work.js';
import { takeImported } from './import-log.js';

const EVERY_MS = 5_000;

/** Watches for imports from the command line, which is a separate process. One of the replicas sends their events. */
@Injectable()
export class ImportWatch extends PeriodicWork {
  constructor(
    private readonly facts: KeyValueStore,
    private readonly events: EventBus,
  ) {
    super(EVERY_MS);
  }

  /** Sends the events of the imports since the last tick of any replica. */
  async tick(): Promise<void> {
    for (const change of await takeImported(this.facts)) this.events.emit('knowledge.changed', change);
  }
}
