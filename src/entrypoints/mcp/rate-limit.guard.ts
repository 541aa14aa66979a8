import { Injectable } from '@nestjs/common';
import { ErrorCode } from '#mcp-http';
import { type RateExceeded, RequestRates } from '../../access/clients/request-rates.service.js';
import { EndpointGuard, type EndpointRequest } from './endpoint.guard.js';
import { RequestRefused } from './mcp-error.filter.js';

/** Refuses requests beyond the limits per minute. */
@Injectable()
export class RateLimitGuard extends EndpointGuard {
  constructor(private readonly rates: RequestRates) {
    super();
  }

  override admit({ method, caller }: EndpointRequest): void {
    const exceeded = method === 'OPTIONS' ? null : this.rates.take(caller.name, Date.now());
    if (exceeded) throw tooManyRequests(exceeded);
  }
}

function tooManyRequests({ scope, perMinute, waitMs }: RateExceeded): RequestRefused {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const [httpStatus, who] =
    scope === 'client'
      ? [429, `this client may send ${perMinute} a minute (set for it, or mcp.rate_limit_per_minute)`]
      : [503, `the service takes ${perMinute} a minute from all (setting mcp.rate_limit_in_all_per_minute)`];
  const message = `Too many requests: ${who}. Try again in ${seconds} s`;
  return new RequestRefused({ httpStatus, code: ErrorCode.refused, message }, { 'Retry-After': String(seconds) });
}
