import { Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { SettingsService } from '../../platform/config/settings.service.js';
import { RateLimitStore } from '../../platform/database/rate-limit.store.js';
import { PeriodicWork } from '../../platform/periodic/periodic-work.js';
import { ClientsService } from './clients.service.js';
import { SharedBucket } from './shared-bucket.js';

/** How often replicas exchange their counts. Until then, each may let a minute's quota pass. */
const SETTLE_EVERY_MS = 500;
/** No client can have this name. */
const ALL = '*';

export const RATE_SCOPES = ['client', 'all'] as const;
type RateScope = (typeof RATE_SCOPES)[number];

/** Why a request must wait. */
export interface RateExceeded {
  scope: RateScope;
  perMinute: number;
  waitMs: number;
}

/** Limits the requests per minute of each client and of all clients together. Decisions are synchronous. */
@Injectable()
export class RequestRates extends PeriodicWork {
  /** Number of requests since the start of this replica that had to wait. */
  readonly exceeded: Record<RateScope, number> = { client: 0, all: 0 };
  private readonly buckets = new Map<string, SharedBucket>();
  private readonly counter: RateLimiterAbstract;

  constructor(
    private readonly clients: ClientsService,
    private readonly settings: SettingsService,
    attempts: RateLimitStore,
  ) {
    super(SETTLE_EVERY_MS);
    this.counter = attempts.open('requests', { points: Number.MAX_SAFE_INTEGER, durationSeconds: 60 });
  }

  /** Counts a request. Returns why it must wait; null = it may pass. */
  take(client: string, nowMs: number): RateExceeded | null {
    const own = this.clients.limitsOf(client).requestsPerMinute;
    const perMinute = own ?? this.settings.get('mcp.rate_limit_per_minute');
    const waitMs = this.waitMs(client, perMinute, nowMs);
    if (waitMs > 0) return this.exceed({ scope: 'client', perMinute, waitMs });
    const inAll = this.settings.get('mcp.rate_limit_in_all_per_minute');
    const waitForAllMs = this.waitMs(ALL, inAll, nowMs);
    return waitForAllMs > 0 ? this.exceed({ scope: 'all', perMinute: inAll, waitMs: waitForAllMs }) : null;
  }

  async tick(now: Date): Promise<void> {
    for (const [name, bucket] of this.buckets) {
      if (bucket.isUnused(now.getTime())) this.buckets.delete(name);
      else await bucket.settle(name, this.counter, now.getTime());
    }
  }

  private exceed(why: RateExceeded): RateExceeded {
    this.exceeded[why.scope] += 1;
    return why;
  }

  private waitMs(name: string, perMinute: number, nowMs: number): number {
    if (perMinute === 0) return 0;
    let bucket = this.buckets.get(name);
    if (bucket?.perMinute !== perMinute) this.buckets.set(name, (bucket = new SharedBucket(perMinute, nowMs)));
    return bucket.take(nowMs);
  }
}
