import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ErrorCode } from '#mcp-http';
import { type CallOrigin, type Client, UNKNOWN_ORIGIN } from '#skill-kit';
import { authorizationProblem, hasSeveralAuthorizations } from '../../access/clients/client-key.rules.js';
import { ClientsService } from '../../access/clients/clients.service.js';
import { type RateExceeded, RequestRates } from '../../access/clients/request-rates.service.js';
import { WrongKeys } from '../../access/clients/guess-limit.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { OwnPages } from '../../platform/service-info/own-page.service.js';
import { RequestRefused } from './mcp-error.filter.js';
import { McpTransport } from './mcp-transport.provider.js';

/** A request whose caller is known. */
export interface AuthenticatedRequest extends Request {
  caller: Client;
}

/** Finds out who is calling before any of the body is read. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly clients: ClientsService,
    private readonly wrongKeys: WrongKeys,
    private readonly transport: McpTransport,
    private readonly events: EventBus,
    private readonly pages: OwnPages,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<never> {
    const http = context.switchToHttp();
    const req = http.getRequest<AuthenticatedRequest>();
    const isOwnPage = this.pages.isOwnPage(req.headers, new Date());
    const refusal = this.transport.refusal(req, http.getResponse<Response>(), isOwnPage);
    if (refusal) throw new RequestRefused(refusal);
    // A browser's preflight carries no credentials.
    if (req.method === 'OPTIONS') return true;
    const several = hasSeveralAuthorizations(req.rawHeaders);
    const client = several ? null : this.clients.authenticate(req.headers.authorization);
    if (!client) return this.refuse(req);
    req.caller = { ...client, origin: { ...(client.origin ?? UNKNOWN_ORIGIN), ...sourceOf(req) } };
    return true;
  }

  private async refuse({ headers, rawHeaders, ip }: AuthenticatedRequest): Promise<never> {
    const { authorization } = headers;
    this.events.emit('key.refused', { address: ip ?? null, present: authorization !== undefined, at: new Date() });
    const waitSeconds = authorization === undefined ? 0 : await this.wrongKeys.record(ip, Date.now());
    if (waitSeconds === 0) throw this.unauthorized(authorization, hasSeveralAuthorizations(rawHeaders));
    const message = `Too many invalid API keys from this address: wait ${waitSeconds} s before the next attempt. A valid key is accepted at any time`;
    throw new RequestRefused(
      { httpStatus: 429, code: ErrorCode.refused, message },
      { 'Retry-After': String(waitSeconds) },
    );
  }

  private unauthorized(authorization: string | undefined, several: boolean): RequestRefused {
    const message = !this.clients.isConfigured()
      ? 'No API key is configured: create a client in the admin interface at /admin, or set mcp.api_key there or MCP_API_KEY'
      : authorization === undefined
        ? 'API key missing: send the header "Authorization: Bearer <API key>"'
        : `Invalid API key: ${several ? SEVERAL : authorizationProblem(authorization)}. ${HOW}`;
    // `resource_metadata` is left out: it would send clients into an OAuth flow that does not exist here.
    const challenge = bearerChallenge(message, authorization !== undefined);
    return new RequestRefused({ httpStatus: 401, code: ErrorCode.refused, message }, { 'WWW-Authenticate': challenge });
  }
}

/**
 * Returns the challenge of RFC 6750, section 3. A client that sent a key is told that it is not valid; the description is
 * what clients show that do not show the body.
 */
function bearerChallenge(message: string, hasKey: boolean): string {
  const error = hasKey ? 'error="invalid_token", ' : '';
  return `Bearer realm="Agent Service", ${error}error_description="${message.replaceAll('"', "'")}"`;
}

const SEVERAL = 'the request has more than one Authorization header';
const HOW =
  'The header is "Authorization: Bearer <API key>"; keys are managed in the admin interface, under Clients, and mcp.api_key under Config';

/** The version and the trace id of a `traceparent` header (W3C Trace Context, section 3.2). */
const TRACE_ID = /^[\da-f]{2}-([\da-f]{32})-/;

function sourceOf({ ip, headers }: AuthenticatedRequest): Pick<CallOrigin, 'address' | 'traceId'> {
  const { traceparent } = headers;
  const traceId = typeof traceparent === 'string' ? TRACE_ID.exec(traceparent)?.[1] : undefined;
  return { address: ip ?? null, traceId: traceId ?? null };
}

/** Refuses requests beyond the limits per minute, before any of their body is read. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly rates: RequestRates) {}

  canActivate(context: ExecutionContext): boolean {
    const { method, caller } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const exceeded = method === 'OPTIONS' ? null : this.rates.take(caller.name, Date.now());
    if (exceeded) throw tooManyRequests(exceeded);
    return true;
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
