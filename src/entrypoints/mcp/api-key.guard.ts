import { Injectable } from '@nestjs/common';
import { ErrorCode } from '#mcp-http';
import { type Client, UNKNOWN_ORIGIN } from '#skill-kit';
import { authorizationProblem, hasSeveralAuthorizations } from '../../access/clients/client-key.rules.js';
import { ClientsService } from '../../access/clients/clients.service.js';
import { WrongKeys } from '../../access/clients/guess-limit.js';
import { ScopeMissing, TokenRefused } from '../../access/external-issuer/external-issuer.errors.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { TrustedProxies } from '../../platform/network/trusted-proxies.service.js';
import { EndpointGuard, type EndpointRequest } from './endpoint.guard.js';
import { RequestRefused } from './mcp-error.filter.js';
import { SignedIn } from './signed-in.service.js';

/** Identifies the caller: the owner of a key or, where sign-ins are accepted, a person. */
@Injectable()
export class ApiKeyGuard extends EndpointGuard {
  constructor(
    private readonly clients: ClientsService,
    private readonly signedIn: SignedIn,
    private readonly wrongKeys: WrongKeys,
    private readonly events: EventBus,
    private readonly proxies: TrustedProxies,
  ) {
    super();
  }

  override admit(req: EndpointRequest): void | Promise<void> {
    if (this.signedIn.isClosed(req)) throw new RequestRefused(NO_SIGN_IN);
    // A browser's preflight carries no credentials.
    if (req.method === 'OPTIONS') return;
    const several = hasSeveralAuthorizations(req.rawHeaders);
    const client = several ? null : this.clients.authenticate(req.headers.authorization, req.socket);
    if (client) return this.letIn(req, client);
    const person = several ? null : this.signedIn.find(req);
    return person ? this.admitPerson(req, person) : this.refuse(req);
  }

  private async admitPerson(req: EndpointRequest, admitting: Client | Promise<Client | null>): Promise<void> {
    const person = await Promise.resolve(admitting).catch((error: unknown) => {
      if (error instanceof TokenRefused) return this.refuse(req, error.message);
      throw error instanceof ScopeMissing ? this.forbidden(req, error.message) : error;
    });
    return person ? this.letIn(req, person) : this.refuse(req);
  }

  private letIn(req: EndpointRequest, client: Client): void {
    const address = this.proxies.senderOf(req);
    req.caller = { ...client, origin: { ...(client.origin ?? UNKNOWN_ORIGIN), address, traceId: traceIdOf(req) } };
  }

  private async refuse(req: EndpointRequest, problem?: string): Promise<never> {
    const { headers, rawHeaders } = req;
    const { authorization } = headers;
    const address = this.proxies.senderOf(req);
    this.events.emit('key.refused', { address, present: authorization !== undefined, at: new Date() });
    const waitSeconds = authorization === undefined ? 0 : await this.wrongKeys.record(address ?? undefined, Date.now());
    if (waitSeconds === 0) throw this.unauthorized(req, hasSeveralAuthorizations(rawHeaders), problem);
    const message = `Too many invalid API keys from this address: wait ${waitSeconds} s before the next attempt. A valid key is accepted at any time`;
    throw new RequestRefused(
      { httpStatus: 429, code: ErrorCode.refused, message },
      { 'Retry-After': String(waitSeconds) },
    );
  }

  private unauthorized(req: EndpointRequest, several: boolean, problem?: string): RequestRefused {
    const { authorization } = req.headers;
    const signIn = this.signedIn.challengeOf(req);
    const message =
      signIn !== null && !several
        ? authorization === undefined
          ? 'Sign in, or send the header "Authorization: Bearer <API key>"'
          : `The token is not valid here${problem ? `: ${problem}.` : ', has expired, or was revoked:'} Refresh it, or sign in again`
        : this.keyProblem(authorization, several);
    // Without a place to sign in, `resource_metadata` is left out: it would send clients into a flow that does not exist.
    const challenge = bearerChallenge(message, authorization === undefined ? null : 'invalid_token') + (signIn ?? '');
    return new RequestRefused({ httpStatus: 401, code: ErrorCode.refused, message }, { 'WWW-Authenticate': challenge });
  }

  /** The refusal of a token with too few scopes (RFC 6750, section 3.1). */
  private forbidden(req: EndpointRequest, message: string): RequestRefused {
    const challenge = bearerChallenge(message, 'insufficient_scope') + (this.signedIn.challengeOf(req) ?? '');
    const headers = { 'WWW-Authenticate': challenge };
    return new RequestRefused({ httpStatus: 403, code: ErrorCode.refused, message }, headers);
  }

  private keyProblem(authorization: string | undefined, several: boolean): string {
    return !this.clients.isConfigured()
      ? 'No API key is configured: create a client in the admin interface at /admin, or set mcp.api_key there or MCP_API_KEY'
      : authorization === undefined
        ? 'API key missing: send the header "Authorization: Bearer <API key>"'
        : `Invalid API key: ${several ? SEVERAL : authorizationProblem(authorization)}. ${HOW}`;
  }
}

/**
 * Returns the challenge of RFC 6750, section 3. Clients that do not show the body show the description.
 * @param error null for a client that sent no key
 */
function bearerChallenge(message: string, error: 'invalid_token' | 'insufficient_scope' | null): string {
  // The characters that a description may have. The message may name a person, in any script.
  const description = message.replaceAll('"', "'").replace(/[^ -[\]-~]/g, '?');
  return `Bearer realm="Agent Service", ${error === null ? '' : `error="${error}", `}error_description="${description}"`;
}

const NO_SIGN_IN = {
  httpStatus: 404,
  code: ErrorCode.refused,
  message: 'Nobody can sign in here: the endpoint is /mcp, and takes API keys',
};
const SEVERAL = 'the request has more than one Authorization header';
const HOW =
  'The header is "Authorization: Bearer <API key>"; keys are managed in the admin interface, under Clients, and mcp.api_key under Config';

/** The version and the trace id of a `traceparent` header (W3C Trace Context, section 3.2). */
const TRACE_ID = /^[\da-f]{2}-([\da-f]{32})-/;

function traceIdOf({ headers: { traceparent } }: EndpointRequest): string | null {
  return typeof traceparent === 'string' ? (TRACE_ID.exec(traceparent)?.[1] ?? null) : null;
}
