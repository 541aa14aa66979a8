import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { RateLimitStore } from '../../platform/database/rate-limit.store.js';
import { networkOf } from '../../platform/network/address.rules.js';
import { TrustedProxies } from '../../platform/network/trusted-proxies.service.js';

const PER_MINUTE = 120;

/** Limits registrations of programs and sign-ins by network: each stores a row, or fetches a document. */
@Injectable()
export class Newcomers {
  private readonly limiter: RateLimiterAbstract;

  constructor(
    attempts: RateLimitStore,
    private readonly proxies: TrustedProxies,
  ) {
    this.limiter = attempts.open('newcomers', { points: PER_MINUTE, durationSeconds: 60, refusesFromMemory: true });
  }

  /** Counts a request. Returns how long its sender has to wait, in seconds; 0 = no wait. */
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
