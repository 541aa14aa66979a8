import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { Injectable, Logger } from '@nestjs/common';
import { SettingsService } from '../config/settings.service.js';
import { AppError } from '../errors/app-error.js';
import { VERSION } from '../service-info/version.js';
import { AddressGuard, withoutBrackets } from './address-guard.js';
import { HostResolver } from './host-resolver.service.js';
import { ConnectionFailed, TimedOut, TooLarge, TooManyRedirects } from './outgoing-http.errors.js';
import { followRedirect, type Hop, isRedirect, parseHttpUrl } from './redirect.rules.js';
import { ACCEPTED_ENCODINGS, BodyTooLarge, readBody } from './response-body.js';

export interface OutgoingRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** The Accept header. */
  accept?: string;
  /** Ends the request; its reason is thrown. */
  signal: AbortSignal;
  /** For everything: the look-up, every redirect, the whole body. */
  timeoutMs: number;
  /** Of the body, decompressed. */
  maxBytes: number;
  /** Default 5. */
  maxRedirects?: number;
}

export interface OutgoingResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** Where the response came from, after redirects. */
  url: string;
  body: Buffer;
  /** Each redirect on the way, with the URL that it led to. */
  redirects: { status: number; location: string }[];
}

const MAX_REDIRECTS = 5;
const USER_AGENT = `AgentService/${VERSION}`;

/**
 * Requests to other servers. Only public addresses are connected to, and those that the setting http.allowed_hosts adds;
 * the address of each connection is checked, so that neither a redirect nor a changing name leads elsewhere.
 */
@Injectable()
export class OutgoingHttp {
  private readonly logger = new Logger('OutgoingHttp');

  constructor(
    private readonly settings: SettingsService,
    private readonly resolver: HostResolver,
  ) {}

  /** @throws HostNotAllowed, NoPublicAddress, UnsupportedUrl, TooLarge, TooManyRedirects, TimedOut, ConnectionFailed */
  async fetch(url: string, options: OutgoingRequest): Promise<OutgoingResponse> {
    const first: Hop = {
      url: parseHttpUrl(url),
      method: options.method?.toUpperCase() ?? 'GET',
      headers: toHeaders(options),
      body: options.body ?? null,
    };
    const deadline = AbortSignal.timeout(options.timeoutMs);
    const signal = AbortSignal.any([options.signal, deadline]);
    try {
      signal.throwIfAborted();
      return await this.follow(first, { ...options, signal });
    } catch (error) {
      if (options.signal.aborted) throw options.signal.reason;
      if (deadline.aborted) throw new TimedOut(url, options.timeoutMs);
      if (error instanceof BodyTooLarge) throw new TooLarge(url, options.maxBytes);
      if (error instanceof AppError) throw error;
      throw new ConnectionFailed(url, reasonOf(error));
    }
  }

  private async follow(first: Hop, options: OutgoingRequest): Promise<OutgoingResponse> {
    const { signal, maxBytes, maxRedirects = MAX_REDIRECTS } = options;
    const guard = new AddressGuard(this.resolver, this.settings.get('http.allowed_hosts'), (message) =>
      this.logger.warn(message),
    );
    const redirects: OutgoingResponse['redirects'] = [];
    let hop = first;
    for (;;) {
      const response = await send(hop, guard, signal);
      const { statusCode: status = 0, headers } = response;
      if (!isRedirect(status, headers.location)) {
        try {
          return { status, headers, url: hop.url.href, body: await readBody(response, maxBytes), redirects };
        } finally {
          response.destroy();
        }
      }
      response.destroy();
      if (redirects.length >= maxRedirects) throw new TooManyRedirects(first.url.href, maxRedirects);
      hop = followRedirect(hop, status, headers.location);
      redirects.push({ status, location: hop.url.href });
    }
  }
}

function send({ url, method, headers, body }: Hop, guard: AddressGuard, signal: AbortSignal): Promise<IncomingMessage> {
  guard.assertHost(url.hostname);
  const host = withoutBrackets(url.hostname);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      headers,
      // A connection of its own: one that is kept would outlive the decision about its address.
      agent: false,
      lookup: guard.lookup,
      signal,
      ...(!isIP(host) && { servername: host.replace(/\.$/, '') }),
    });
    outgoing.on('socket', (socket) => {
      socket.once('connect', () => {
        try {
          guard.assertAddress(host, socket.remoteAddress ?? 'unknown');
        } catch (error) {
          outgoing.destroy(error instanceof Error ? error : undefined);
        }
      });
    });
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

function toHeaders({ headers = {}, accept = '*/*' }: OutgoingRequest): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    'user-agent': USER_AGENT,
    accept,
    ...Object.fromEntries(given),
    'accept-encoding': ACCEPTED_ENCODINGS,
  } as Record<string, string>;
}

function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return reasonOf(error.errors[0]);
  // What the system says of a connection names the address, which is not for callers.
  if ('syscall' in error && 'code' in error) return `${String(error.syscall)} ${String(error.code)}`;
  return 'message' in error ? String(error.message) : 'unknown error';
}
