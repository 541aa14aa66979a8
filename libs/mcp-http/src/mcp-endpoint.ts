import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Caller, DEFAULT_TIMING, type EndpointOptions, type EndpointTiming } from './endpoint-options.js';
import { KeepAlive } from './event-stream.js';
import { ExchangeOpener } from './exchange-opener.js';
import { headerOf, readJsonBody, sendEmpty, sendError } from './http.js';
import { ErrorCode, type InboundMessage, readableId, readMessage, type WireError } from './json-rpc.js';
import { ListenStreams } from './listen-streams.js';
import { isHostAllowed, isOriginAllowed } from './origin.js';
import { SessionRegistry } from './session-registry.js';
import { SessionRequests } from './session-requests.js';
import { isStateless, StatelessRequests } from './stateless-requests.js';
import type { OpenStream } from './program.js';
import type { ChangeEvent } from './storage.js';

export interface EndpointCounts {
  warmSessions: number;
  streams: number;
  calls: number;
}

/**
 * MCP over Streamable HTTP on Node's own request and response, both protocol eras on one path. The host authenticates
 * and passes the caller; nothing of a request is read before `handle`.
 */
export class McpEndpoint<C extends Caller = Caller> {
  private readonly keepAlive: KeepAlive;
  private readonly timing: EndpointTiming;
  private readonly exchanges: ExchangeOpener;
  private readonly sessions: SessionRegistry<C>;
  private readonly listenStreams: ListenStreams<C>;
  private readonly sessionRequests: SessionRequests<C>;
  private readonly statelessRequests: StatelessRequests<C>;
  private closing = false;
  /** Sequence number of the last change that clients were told of. */
  private told = 0;
  private following: Promise<void> = Promise.resolve();

  constructor(private readonly options: EndpointOptions<C>) {
    this.timing = { ...DEFAULT_TIMING, ...options.timing };
    this.keepAlive = new KeepAlive(this.timing.keepAliveMs);
    this.exchanges = new ExchangeOpener(this.timing, this.keepAlive);
    this.sessions = new SessionRegistry(options, this.timing);
    this.listenStreams = new ListenStreams(options, this.keepAlive);
    this.sessionRequests = new SessionRequests(options, this.timing, this.exchanges, this.sessions, this.keepAlive);
    this.statelessRequests = new StatelessRequests(options, this.exchanges, this.listenStreams);
  }

  async start(): Promise<void> {
    this.told = await this.options.storage.changes.latest();
    await this.statelessRequests.start();
  }

  /**
   * To be asked before authentication: why a request may not come in, whoever sends it (a foreign web page, or a Host
   * that is not this service's). Lets the pages of allowed origins read the answer, whatever it will be.
   */
  refusal(req: IncomingMessage, res: ServerResponse): WireError | null {
    const { origin, host } = req.headers;
    const { allowedOrigins, allowedHosts } = this.options.limits();
    if (origin !== undefined && !isOriginAllowed(origin, allowedOrigins)) return forbidden('Origin', origin);
    if (allowedHosts && !isHostAllowed(host, allowedHosts)) return forbidden('Host', host ?? '');
    allowBrowser(req, res);
    return null;
  }

  async handle(req: IncomingMessage, res: ServerResponse, caller: C): Promise<void> {
    if (this.closing) return sendError(res, CLOSING, null, { 'Retry-After': '1', Connection: 'close' });
    switch (req.method) {
      case 'POST':
        return this.post(req, res, caller);
      case 'GET':
        return this.sessionRequests.get(req, res, caller);
      case 'DELETE':
        return this.sessionRequests.delete(req, res, caller);
      case 'OPTIONS':
        return sendEmpty(res, 204);
      default:
        return sendError(res, METHOD_NOT_ALLOWED, null, { Allow: 'POST, GET, DELETE' });
    }
  }

  /** Records changes and tells every client that wants to know. */
  async publish(...events: ChangeEvent[]): Promise<void> {
    await this.options.storage.changes.append(...events);
    await this.follow();
  }

  /** Tells every client that wants to know of what was recorded since the last time, by whichever process. */
  follow(): Promise<void> {
    const following = this.following.then(() => this.tellNews());
    this.following = following.catch(() => undefined);
    return following;
  }

  private async tellNews(): Promise<void> {
    const { changes } = this.options.storage;
    const news = (await changes.after(this.told)) ?? listsChanged(await changes.latest());
    for (const { event, seq } of news) {
      this.told = seq;
      this.sessions.broadcast(event, seq);
      this.listenStreams.broadcast(event);
    }
  }

  /** Ends everything that a client has open: its key is no longer valid. */
  cutOff(client: string): void {
    this.sessions.closeStreams(client);
    this.listenStreams.close(client);
    this.exchanges.abandon(KEY_REVOKED, client);
  }

  endSession(id: string): Promise<void> {
    return this.sessions.end(id);
  }

  /** The streams of both eras that are open in this process. */
  openStreams(): OpenStream[] {
    return [...this.sessions.openStreams(), ...this.listenStreams.openStreams()];
  }

  counts(): EndpointCounts {
    const { warm, streams } = this.sessions.counts();
    return { warmSessions: warm, streams: streams + this.listenStreams.count, calls: this.exchanges.count };
  }

  /** Takes no more requests, ends the streams so that clients reconnect elsewhere, and lets running calls finish. */
  async close(): Promise<void> {
    this.closing = true;
    this.sessions.close();
    this.listenStreams.close();
    await this.exchanges.drained(this.timing.drainMs);
    this.exchanges.abandon(CLOSING);
    this.keepAlive.stop();
  }

  private async post(req: IncomingMessage, res: ServerResponse, caller: C): Promise<void> {
    if (!isJson(req.headers['content-type'])) return sendError(res, NOT_JSON_TYPE);
    const body = await readJsonBody(req, this.options.limits().maxBodyBytes);
    if ('problem' in body) return this.sendBodyProblem(res, body.problem);
    const batch = Array.isArray(body.value);
    const items: unknown[] = Array.isArray(body.value) ? body.value : [body.value];
    const messages = items.map(readMessage).filter((message) => message !== null);
    const [first] = messages;
    if (!first || messages.length < items.length) return sendError(res, NOT_JSON_RPC, readableId(body.value));
    if (!messages.some((message) => isStateless(req, message))) {
      return this.sessionRequests.post(req, res, messages, caller, batch);
    }
    if (batch) return sendError(res, NOT_JSON_RPC);
    await this.statelessRequests.post(req, res, first satisfies InboundMessage, caller);
  }

  private sendBodyProblem(res: ServerResponse, problem: 'too_large' | 'not_json' | 'aborted'): void {
    switch (problem) {
      case 'too_large':
        return sendError(res, tooLarge(this.options.limits().maxBodyBytes));
      case 'not_json':
        return sendError(res, NOT_JSON);
      case 'aborted':
        return sendEmpty(res, 400);
    }
  }
}

/** For when so much was missed that the log does not say any more what it was. */
const listsChanged = (latest: number): { event: ChangeEvent; seq: number }[] =>
  (['tools_list_changed', 'prompts_list_changed', 'resources_list_changed'] as const).map((kind, index) => ({
    event: { kind },
    seq: latest - 2 + index,
  }));

/** CORS (WHATWG Fetch): the preflight's answer, and leave to read the answers that follow. */
function allowBrowser(req: IncomingMessage, res: ServerResponse): void {
  const origin = headerOf(req, 'origin');
  if (origin === undefined) return;
  res.setHeader('Access-Control-Allow-Origin', origin);
  res.setHeader('Vary', 'Origin');
  res.setHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id, WWW-Authenticate, Retry-After');
  if (req.method !== 'OPTIONS') return;
  res.setHeader('Access-Control-Allow-Methods', 'POST, GET, DELETE');
  res.setHeader('Access-Control-Allow-Headers', headerOf(req, 'access-control-request-headers') ?? 'Authorization');
  res.setHeader('Access-Control-Max-Age', '600');
}

function isJson(contentType: string | undefined): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

const refused = (httpStatus: number, message: string, code: number = ErrorCode.refused): WireError => ({
  httpStatus,
  code,
  message,
});

const NOT_JSON_TYPE = refused(415, 'Unsupported media type: send Content-Type: application/json');
const NOT_JSON = refused(400, 'Parse error: the body is not JSON in UTF-8', ErrorCode.parseError);
const NOT_JSON_RPC = refused(400, 'Invalid request: the body is not a JSON-RPC 2.0 message', ErrorCode.invalidRequest);
const METHOD_NOT_ALLOWED = refused(405, 'Method not allowed: use POST, GET or DELETE');
const KEY_REVOKED = refused(401, 'The API key of this call is no longer valid');
const CLOSING = refused(503, 'The service is stopping: try again in a moment');

const tooLarge = (maxBytes: number): WireError =>
  refused(413, `Request body too large: the limit is ${maxBytes} bytes (setting mcp.max_body_bytes)`);

const forbidden = (header: string, value: string): WireError =>
  refused(403, `${header} ${JSON.stringify(value)} is not allowed: add it to mcp.allowed_origins or set PUBLIC_URL`);
