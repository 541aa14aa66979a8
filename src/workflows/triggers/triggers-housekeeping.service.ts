import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { TickStore } from './schedules/tick.store.js';
import { WebhookStore } from './webhooks/webhook.store.js';

const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Signatures are valid for 5 minutes, but senders repeat messages for days, and sign them anew. */
const MESSAGES_MS = 7 * DAY_MS;
const TICKS_MS = 7 * DAY_MS;

/** Forgets messages and ticks that nobody will ask about again. */
@Injectable()
export class TriggersHousekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(TriggersHousekeeping.name);
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly ticks: TickStore,
    private readonly webhooks: WebhookStore,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(
      () => void this.tick(new Date()).catch((error) => this.logger.error(error)),
      EVERY_MS,
    ).unref();
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
  }

  async tick(now: Date): Promise<void> {
    await this.webhooks.pruneMessages(new Date(now.getTime() - MESSAGES_MS));
    await this.ticks.prune(new Date(now.getTime() - TICKS_MS));
  }
}
