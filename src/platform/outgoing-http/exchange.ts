import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import { AppError } from '../errors/app-error.js';
import { startTimeLimit } from '../periodic/time-limit.js';
import { type AddressGuard, withoutBrackets } from './address-guard.js';
import { ConnectionFailed, TimedOut, TooLarge } from './outgoing-http.errors.js';
import type { Hop } from './redirect.rules.js';
import { BodyTooLarge, decodedBody } from './response-body.js';
import { toIncomingHeaders } from './response-headers.rules.js';

export interface ExchangeLimits {
  /** Aborts the request, which then throws the signal's reason. */
  signal: AbortSignal;
  /** Time limit for everything: name resolution, all redirects and the whole body. */
  timeoutMs: number;
  /** Maximum size of the decompressed body. */
  maxBytes: number;
}

export interface HopResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body as received, not decompressed. */
  body: Dispatcher.ResponseData['body'];
  /** False when the length and encoding in the headers are those of a body that is not sent (RFC 9110, section 8.6). */
  hasBody: boolean;
}

/** Manages the connections and limits of one request, with its redirects. */
export class Exchange {
  private readonly deadline = new AbortController();
  private readonly stopLimit: () => void;
  private readonly signal: AbortSignal;
  /** For sockets: Node never frees one that got an `AbortSignal.any`, as it does not remove its listener. */
  private readonly ended = new AbortController();
  private agent: Agent | null = null; // null = nothing sent yet

  constructor(
    private readonly url: string,
    private readonly limits: ExchangeLimits,
    private readonly guard: AddressGuard,
  ) {
    this.stopLimit = startTimeLimit(limits.timeoutMs, () => this.deadline.abort());
    this.signal = AbortSignal.any([limits.signal, this.deadline.signal]);
    this.signal.addEventListener('abort', this.close, { once: true });
  }

  async send({ url, method, headers, body }: Hop): Promise<HopResponse> {
    this.agent ??= await this.connectedByGuard();
    this.signal.throwIfAborted();
    const path = url.pathname + url.search;
    const response = await this.agent.request({ origin: url.origin, path, method, headers, body });
    response.body.on('error', () => undefined); // the body's reader gets its errors; there may be no reader
    const { statusCode: status } = response;
    const hasBody = method !== 'HEAD' && status !== 304;
    return { status, headers: toIncomingHeaders(response.headers), body: response.body, hasBody };
  }

  /** Returns the decompressed body as a stream. The exchange ends with the body. */
  read({ headers, body, hasBody }: HopResponse): AsyncGenerator<Buffer> {
    return this.untilItsEnd(decodedBody(body, hasBody ? headers : {}, this.limits.maxBytes));
  }

  readonly close = (): void => {
    this.stopLimit();
    this.signal.removeEventListener('abort', this.close);
    this.ended.abort();
    this.agent?.destroy(new Error('the exchange is over')).catch(() => undefined);
  };

  /** Converts an error within the exchange to the one that callers get. */
  failureOf(error: unknown): unknown {
    if (this.limits.signal.aborted) return this.limits.signal.reason;
    if (this.deadline.signal.aborted) return new TimedOut(this.url, this.limits.timeoutMs);
    if (error instanceof BodyTooLarge || codeOf(error) === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
      return new TooLarge(this.url, this.limits.maxBytes);
    }
    return error instanceof AppError ? error : new ConnectionFailed(this.url, reasonOf(error));
  }

  private async *untilItsEnd(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      this.signal.throwIfAborted();
      yield* chunks;
    } catch (error) {
      throw this.failureOf(error);
    } finally {
      this.close();
    }
  }

  private async connectedByGuard(): Promise<Agent> {
    // Loaded on first use, because loading it would take a fifth of the start time.
    const { Agent, buildConnector } = await import('undici');
    const connect = buildConnector({
      lookup: this.guard.lookup,
      signal: this.ended.signal,
      allowH2: false,
      maxCachedSessions: 0,
      timeout: 0,
    });
    return new Agent({
      connect: (target, done) => this.connectGuarded(connect, target, done),
      // Each request opens its own connection: a reused one would outlive the decision about its address.
      pipelining: 0,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: this.limits.maxBytes,
    });
  }

  private connectGuarded(connect: buildConnector.connector, target: Target, done: buildConnector.Callback): void {
    const host = withoutBrackets(target.hostname);
    const isNamed = target.protocol === 'https:' && !isIP(host);
    const named = isNamed ? { servername: host.replace(/\.$/, '') } : {};
    try {
      this.guard.assertHost(host);
      connect({ ...target, ...named }, (error, socket) => {
        if (error) return done(error, null);
        const refusal = this.refusalOf(host, socket.remoteAddress);
        if (refusal === null) return done(null, socket);
        socket.destroy();
        done(refusal, null);
      });
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)), null);
    }
  }

  private refusalOf(host: string, address = 'unknown'): Error | null {
    try {
      this.guard.assertAddress(host, address);
      return null;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}

const REASONS = new Map<unknown, string>([
  ['UND_ERR_CONNECT_TIMEOUT', 'connect ETIMEDOUT'],
  ['UND_ERR_SOCKET', 'the server closed the connection'],
]);

type Target = buildConnector.Options;

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return reasonOf(error.errors[0]);
  const known = REASONS.get(codeOf(error));
  if (known !== undefined) return known;
  // System errors contain the address, which callers must not see.
  if ('syscall' in error && 'code' in error) return `${String(error.syscall)} ${String(error.code)}`;
  return 'message' in error ? String(error.message) : 'unknown error';
}
