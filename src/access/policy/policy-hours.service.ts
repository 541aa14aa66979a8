import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyValueStore } from '../../platform/database/key-value.store.js';
import { PeriodicWork } from '../../platform/periodic/periodic-work.js';
import { PolicyClock, PolicyService } from './policy.service.js';
import type { WallClock } from './policy-context.js';

const EVERY_MS = 5_000;
/** How long the replica that claims a change of the hour is the only one to notify clients. */
const CLAIM_MS = 30 * 60_000;

/** Watches the clock for policies that depend on the hour or the day: what clients may use changes with it. */
@Injectable()
export class PolicyHours extends PeriodicWork {
  private readonly owner = randomUUID();
  private last: WallClock | null = null; // null = not read yet

  constructor(
    private readonly clock: PolicyClock,
    private readonly policy: PolicyService,
    private readonly facts: KeyValueStore,
  ) {
    super(EVERY_MS);
  }

  async tick(now: Date): Promise<void> {
    const [last, shown] = [this.last, this.clock.now(now.getTime())];
    this.last = shown;
    if (!last || (last.hour === shown.hour && last.weekday === shown.weekday) || !this.policy.readsClock()) return;
    const until = new Date(now.getTime() + CLAIM_MS);
    const isOurs = await this.facts.claim('policy.hours', this.owner, now, until);
    this.policy.clockTurned(last, isOurs ? {} : { isFromElsewhere: true });
  }
}
