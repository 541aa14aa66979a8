import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { RateLimitStore } from '../../platform/database/rate-limit.store.js';
import { networkOf } from '../../platform/network/address.rules.js';
import { TrustedProxies } from '../../platform/network/trusted-proxies.service.js';

const PER_MINUTE = 60;

/** Limits how many programs register from one network, or come with a document that must be fetched. */
@Injectable()
export class Registrations {
  private readonly limiter: RateLimiterAbstract;

  constructor(
    attempts: RateLimitStore,
    private readonly proxies: TrustedProxies,
  ) {
    this.limiter = attempts.open('registrations', { points: PER_MINUTE, durationSeconds: 60, refusesFromMemory: true });
  }

  /** Counts a program. Returns how long its sender has to wait before it, in seconds; 0 = not at all. */
  async waitOf(req: IncomingMessage): Promise<number> {
    try {
      await this.limiter.consume(networkOf(this.proxies.senderOf(req) ?? ''));
      return 0;
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      return Math.max(1, Math.ceil(rejection.msBeforeNext / 1000));
    }
  }
}
