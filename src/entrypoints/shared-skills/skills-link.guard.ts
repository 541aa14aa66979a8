import { type CanActivate, type ExecutionContext, Injectable, NotFoundException } from '@nestjs/common';
import type { Request } from 'express';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { SettingsService } from '../../platform/config/settings.service.js';
import { RateLimitStore } from '../../platform/database/rate-limit.store.js';
import { networkOf } from '../../platform/network/address.rules.js';
import { TooManyDownloads } from './shared-skills.errors.js';
import { GuessLimit } from '../../access/clients/guess-limit.js';

/** Throttles guessing of the secret in the address of the skills. The right one is always accepted. */
@Injectable()
export class WrongLinks extends GuessLimit {
  constructor(attempts: RateLimitStore) {
    super(attempts, 'wrong skill links', 'addresses of skills');
  }
}

/** A program requests the index once, and each package once. */
const DOWNLOADS = { points: 3_000, durationSeconds: 60, refusesFromMemory: true };

/** Returns the same error as for a path without a route. */
export const notFound = ({ method, originalUrl }: Request): NotFoundException =>
  new NotFoundException(`Cannot ${method} ${originalUrl}`);

/** Admits requests whose path has the secret of the setting `packages.share_secret`. */
@Injectable()
export class SkillsLinkGuard implements CanActivate {
  private readonly downloads: RateLimiterAbstract;

  constructor(
    private readonly settings: SettingsService,
    private readonly wrongLinks: WrongLinks,
    attempts: RateLimitStore,
  ) {
    this.downloads = attempts.open('skill downloads', DOWNLOADS);
  }

  /** @throws NotFoundException, TooManyDownloads */
  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<Request>();
    const { secret } = request.params;
    if (typeof secret !== 'string' || !this.settings.isSet('packages.share_secret')) throw notFound(request);
    if (!this.settings.matchesSecret('packages.share_secret', secret)) {
      const waitSeconds = await this.wrongLinks.record(request.ip, Date.now());
      throw waitSeconds > 0 ? new TooManyDownloads(waitSeconds) : notFound(request);
    }
    await this.count(request);
    return true;
  }

  private async count({ ip }: Request): Promise<void> {
    try {
      await this.downloads.consume(ip === undefined ? 'an unknown address' : networkOf(ip));
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      throw new TooManyDownloads(Math.max(1, Math.ceil(rejection.msBeforeNext / 1000)));
    }
  }
}
