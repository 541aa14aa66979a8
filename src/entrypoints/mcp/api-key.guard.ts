import { Injectable } from '@nestjs/common';
import { ErrorCode } from '#mcp-http';
import { UNKNOWN_ORIGIN } from '#skill-kit';
import { authorizationProblem, hasSeveralAuthorizations } from '../../access/clients/client-key.rules.js';
import { ClientsService } from '../../access/clients/clients.service.js';
import { WrongKeys } from '../../access/clients/guess-limit.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { TrustedProxies } from '../../platform/network/trusted-proxies.service.js';
import { EndpointGuard, type EndpointRequest } from './endpoint.guard.js';
import { RequestRefused } from './mcp-error.filter.js';

/** Finds out who is calling. */
@Injectable()
export class ApiKeyGuard extends EndpointGuard {
  constructor(
    private readonly clients: ClientsService,
    private readonly wrongKeys: WrongKeys,
    private readonly events: EventBus,
    private readonly proxies: TrustedProxies,
  ) {
    super();
  }

  override admit(req: EndpointRequest): void | Promise<never> {
    // A browser's preflight carries no credentials.
    if (req.method === 'OPTIONS') return;
    const several = hasSeveralAuthorizations(req.rawHeaders);
    const client = several ? null : this.clients.authenticate(req.headers.authorization);
    const address = this.proxies.senderOf(req);
    if (!client) return this.refuse(req, address);
    req.caller = { ...client, origin: { ...(client.origin ?? UNKNOWN_ORIGIN), address, traceId: traceIdOf(req) } };
  }

  private async refuse({ headers, rawHeaders }: EndpointRequest, address: string | null): Promise<never> {
    const { authorization } = headers;
    this.events.emit('key.refused', { address, present: authorization !== undefined, at: new Date() });
    const waitSeconds = authorization === undefined ? 0 : await this.wrongKeys.record(address ?? undefined, Date.now());
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

function traceIdOf({ headers: { traceparent } }: EndpointRequest): string | null {
  return typeof traceparent === 'string' ? (TRACE_ID.exec(traceparent)?.[1] ?? null) : null;
}
