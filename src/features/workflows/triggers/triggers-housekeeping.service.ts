import { Injectable } from '@nestjs/common';
import { PeriodicWork } from '../../../platform/periodic/periodic-work.js';
import { TickStore } from './schedules/tick.store.js';
import { WebhookStore } from './webhooks/webhook.store.js';

const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Signatures are valid for 5 minutes, but senders retry messages for days, with new signatures. */
const MESSAGES_MS = 7 * DAY_MS;
const TICKS_MS = 7 * DAY_MS;

/** Deletes messages and ticks that are no longer needed. */
@Injectable()
export class TriggersHousekeeping extends PeriodicWork {
  constructor(
    private readonly ticks: TickStore,
    private readonly webhooks: WebhookStore,
  ) {
    super(EVERY_MS);
  }

  async tick(now: Date): Promise<void> {
    await this.webhooks.pruneMessages(new Date(now.getTime() - MESSAGES_MS));
    await this.ticks.prune(new Date(now.getTime() - TICKS_MS));
  }
}
