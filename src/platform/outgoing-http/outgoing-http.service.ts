import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { SettingsService } from '../config/settings.service.js';
import { VERSION } from '../service-info/version.js';
import { AddressGuard } from './address-guard.js';
import { Exchange, type ExchangeLimits } from './exchange.js';
import { HostResolver } from './host-resolver.service.js';
import { TooManyRedirects } from './outgoing-http.errors.js';
import { followRedirect, type Hop, isRedirect, parseHttpUrl } from './redirect.rules.js';
import { ACCEPTED_ENCODINGS } from './response-body.js';

export interface OutgoingRequest extends ExchangeLimits {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  accept?: string;
  /** Default: 5. */
  maxRedirects?: number;
  /** False = return redirects like other responses. Default: true. */
  followsRedirects?: boolean;
  /** Called before a redirect is followed, with the next request. Throws an `AppError` to refuse it. */
  assertMayFollow?: (next: Hop) => void;
}

interface ResponseHead {
  status: number;
  headers: IncomingHttpHeaders;
  /** URL of the response, after redirects. */
  url: string;
  /** The followed redirects, each with its target URL. */
  redirects: { status: number; location: string }[];
}

export interface OutgoingResponse extends ResponseHead {
  body: Buffer;
}

export interface OutgoingStream extends ResponseHead {
  /**
   * The body as a stream, within the limits of the request. The connection stays open until the body has been read, the reader
   * stops early, the request times out, or it is aborted. The stream throws the same errors as `fetch`.
   */
  body: AsyncIterable<Buffer>;
}

const MAX_REDIRECTS = 5;
const USER_AGENT = `AgentService/${VERSION}`;

/**
 * Sends requests to other servers. Connects only to public addresses, and to those allowed by the setting http.allowed_hosts. It
 * checks the address of each connection, so that neither redirects nor changed DNS records can bypass the check.
 */
@Injectable()
export class OutgoingHttp {
  private readonly logger = new Logger('OutgoingHttp');

  constructor(
    private readonly settings: SettingsService,
    private readonly resolver: HostResolver,
  ) {}

  /** @throws HostNotAllowed, NoPublicAddress, UnsupportedUrl, TooLarge, TooManyRedirects, TimedOut, ConnectionFailed, and what `assertMayFollow` throws */
  async fetch(url: string, options: OutgoingRequest): Promise<OutgoingResponse> {
    const { body, ...head } = await this.stream(url, options);
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return { ...head, body: Buffer.concat(chunks) };
  }

  /** Like `fetch`, but returns the body as a stream. */
  async stream(url: string, options: OutgoingRequest): Promise<OutgoingStream> {
    const first: Hop = {
      url: parseHttpUrl(url),
      method: options.method?.toUpperCase() ?? 'GET',
      headers: toHeaders(options),
      body: options.body ?? null,
    };
    const guard = new AddressGuard(this.resolver, this.settings.get('http.allowed_hosts'), (message) =>
      this.logger.warn(message),
    );
    const exchange = new Exchange(url, options, guard);
    try {
      return await follow(first, exchange, options);
    } catch (error) {
      exchange.close();
      throw exchange.failureOf(error);
    }
  }
}

async function follow(first: Hop, exchange: Exchange, options: OutgoingRequest): Promise<OutgoingStream> {
  const { maxRedirects = MAX_REDIRECTS, followsRedirects = true } = options;
  const redirects: OutgoingStream['redirects'] = [];
  let hop = first;
  for (;;) {
    const response = await exchange.send(hop);
    const { status, headers } = response;
    if (!followsRedirects || !isRedirect(status, headers.location)) {
      return { status, headers, url: hop.url.href, redirects, body: exchange.read(response) };
    }
    response.body.destroy();
    if (redirects.length >= maxRedirects) throw new TooManyRedirects(first.url.href, maxRedirects);
    hop = followRedirect(hop, status, headers.location);
    options.assertMayFollow?.(hop);
    redirects.push({ status, location: hop.url.href });
  }
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
