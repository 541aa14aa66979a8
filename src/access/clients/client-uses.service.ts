import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { PeriodicWork } from '../../platform/periodic/periodic-work.js';
import { type ClientUse, ClientUseStore } from './client-use.store.js';

const LOOK_EVERY_MS = 5_000;
const WRITE_EVERY_MS = 60_000;

/** A use by this process. `writtenAtMs`: when a use of the client was last recorded here. */
interface Seen {
  atMs: number;
  address: string | null;
  program: string;
  writtenAtMs: number;
  isNew: boolean;
}

/** Remembers when each client called last, from where and with what program; records it once a minute at most. */
@Injectable()
export class ClientUses extends PeriodicWork implements BeforeApplicationShutdown {
  private readonly seenHere = new Map<string, Seen>();

  constructor(
    private readonly store: ClientUseStore,
    events: EventBus,
  ) {
    super(LOOK_EVERY_MS);
    events.on('client.revoked', ({ client }) => this.seenHere.delete(client));
  }

  /** Notes a request. Is called for every one, so it must be fast. */
  seen(client: string, address: string | null, program: string, nowMs: number): void {
    const seen = this.seenHere.get(client);
    if (!seen) {
      this.seenHere.set(client, { atMs: nowMs, address, program, writtenAtMs: -Infinity, isNew: true });
      return;
    }
    seen.atMs = nowMs;
    seen.address = address;
    seen.program = program;
    seen.isNew = true;
  }

  /** Returns the last use of each client that was ever used, on whatever replica. */
  async list(): Promise<ReadonlyMap<string, ClientUse>> {
    const uses = await this.store.list();
    for (const [client, seen] of this.seenHere) {
      const recorded = uses.get(client);
      if (!recorded || recorded.at.getTime() < seen.atMs) uses.set(client, toUse(seen));
    }
    return uses;
  }

  async tick(now: Date): Promise<void> {
    await this.record((seen) => now.getTime() - seen.writtenAtMs >= WRITE_EVERY_MS, now);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.record(() => true, new Date()).catch((error: unknown) => this.logger.warn(String(error)));
  }

  private async record(isDue: (seen: Seen) => boolean, now: Date): Promise<void> {
    for (const [client, seen] of this.seenHere) {
      if (!seen.isNew || !isDue(seen)) continue;
      seen.isNew = false;
      seen.writtenAtMs = now.getTime();
      await this.store.save(client, toUse(seen));
    }
  }
}

const toUse = ({ atMs, address, program }: Seen): ClientUse => ({ at: new Date(atMs), address, program });
