import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ErrorCode } from '#mcp-http';
import { SettingsService } from '../config/settings.service.js';
import type { AuthenticatedRequest } from './api-key.guard.js';
import { RequestRefused } from './mcp-error.filter.js';

/** Limits the requests of each client to the setting `mcp.rate_limit_per_minute`; 0 is no limit. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private limiter: RateLimiterMemory | null = null; // null = no request was limited yet

  constructor(private readonly settings: SettingsService) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const perMinute = this.settings.get('mcp.rate_limit_per_minute');
    if (perMinute === 0) return true;
    if (this.limiter?.points !== perMinute) this.limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
    const { method, caller } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    return method === 'OPTIONS' || this.consume(this.limiter, caller.name, perMinute);
  }

  private async consume(limiter: RateLimiterMemory, client: string, perMinute: number): Promise<boolean> {
    try {
      await limiter.consume(client);
      return true;
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      const seconds = Math.max(1, Math.ceil(rejection.msBeforeNext / 1000));
      const message = `Too many requests: this key may send ${perMinute} a minute (setting mcp.rate_limit_per_minute). Try again in ${seconds} s`;
      throw new RequestRefused(
        { httpStatus: 429, code: ErrorCode.refused, message },
        { 'Retry-After': String(seconds) },
      );
    }
  }
}
