import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { type Caller, type Revocation, type OpenStream, RequestsInProgress } from './caller.js';
import { allListsChanged, type ChangeEvent } from './change.js';
import { DEFAULT_TIMING, type EndpointOptions, type EndpointTiming } from './endpoint-options.js';
import { EventStreams, KeepAlive } from './event-stream.js';
import { Exchanges } from './exchanges.js';
import { FairQueue } from './fair-queue.js';
import { type InboundPost, InboundPosts } from './inbound-posts.js';
import type { WireError } from './json-rpc.js';
import { ListenStreams } from './listen-streams.js';
import { Pipelining } from './request-body.js';
import { allowBrowser, isHostAllowed, isOriginAllowed } from './request-headers.js';
import { limitsFor, Quota, STREAMS } from './quota.js';
import { KEY_REVOKED, NOT_JSON_RPC, refused, RETRY_SOON, SERVICE_STOPPING } from './refusals.js';
import type { RelayedNews } from './relay.js';
import { isClosed, sendEmpty, sendError, UnreadBytes } from './responses.js';
import { inTime } from './resumable-stream.js';
import { SessionQuota } from './session-quota.js';
import { SessionRegistry } from './session-registry.js';
import { SessionRequests } from './session-requests.js';
import { isStateless, StatelessRequests } from './stateless-requests.js';

export interface EndpointCounts {
  /** Requests that are not yet a call or a stream: their body is arriving, or their session is being read. */
  arriving: number;
  warmSessions: number;
  streams: number;
  calls: number;
}

/**
 * MCP over Streamable HTTP on Node's own request and response. Serves both protocol eras on one path. The host authenticates and
 * passes the caller; no body is read before `handle`.
 */
export class McpEndpoint<C extends Caller = Caller> {
  private readonly keepAlive: KeepAlive;
  private readonly timing: EndpointTiming;
  private readonly unread: UnreadBytes;
  private readonly posts: InboundPosts;
  private readonly pipelining = new Pipelining();
  private readonly turns = new FairQueue();
  private readonly requests = new RequestsInProgress();
  private readonly exchanges: Exchanges;
  private readonly sessions: SessionRegistry<C>;
  private readonly listenStreams: ListenStreams<C>;
  private readonly sessionRequests: SessionRequests<C>;
  private readonly statelessRequests: StatelessRequests<C>;
  private closing = false;
  private isClosed = false;
  /** True when a request has arrived since the flag was last reset. */
  private hasArrived = false;
  /** Sequence number of the last change sent to clients. */
  private broadcastSeq = 0;
  private following: Promise<void> = Promise.resolve();

  constructor(private readonly options: EndpointOptions<C>) {
    this.timing = { ...DEFAULT_TIMING, ...options.timing };
    this.keepAlive = new KeepAlive(this.timing.keepAliveMs);
    const limits = () => options.limits();
    const onStorageError = (error: unknown) => options.onStorageError(error);
    this.unread = new UnreadBytes(limits, this.timing.slowestBytesPerMs);
    this.posts = new InboundPosts(limits);
    const events = new EventStreams(this.keepAlive, this.unread);
    const { timing, unread } = this;
    const { quotaOf, resultLimitOf, onExceeded } = options;
    const { turns } = this;
    this.exchanges = new Exchanges(
      { timing, limits, quotaOf, resultLimitOf, turns, events, unread, onStorageError },
      onExceeded,
    );
    this.sessions = new SessionRegistry(options, timing, events);
    const streamsOf = (client: string) => {
      const { maxStreams, maxStreamsPerKey } = limits();
      return limitsFor(quotaOf?.(client).streams, maxStreamsPerKey, maxStreams);
    };
    const sessionsOf = (client: string) => {
      const { maxSessions, maxSessionsPerKey } = limits();
      return limitsFor(quotaOf?.(client).sessions, maxSessionsPerKey, maxSessions);
    };
    const streamQuota = new Quota(STREAMS, streamsOf, onExceeded);
    this.listenStreams = new ListenStreams(options, events, streamQuota);
    this.sessionRequests = new SessionRequests(options, {
      timing,
      events,
      streamQuota,
      exchanges: this.exchanges,
      sessions: this.sessions,
      sessionQuota: new SessionQuota(options.storage.sessions, sessionsOf, onExceeded),
      requests: this.requests,
    });
    this.statelessRequests = new StatelessRequests(options, this.exchanges, this.listenStreams);
  }

  async start(): Promise<void> {
    this.broadcastSeq = await this.options.storage.changes.latest();
    await this.statelessRequests.start();
  }

  /**
   * Returns why a request is refused regardless of its sender: it comes from a foreign web page, or for another Host. Null =
   * accepted, and pages of allowed origins may read the response. The host calls this before it authenticates.
   * @param isOwnPage called for an Origin that is not allowed: returns whether the host knows the page as its own, under whatever
   * name it was opened
   */
  refusal(req: IncomingMessage, res: ServerResponse, isOwnPage = (): boolean => false): WireError | null {
    const { origin, host } = req.headers;
    const { allowedOrigins, allowedHosts } = this.options.limits();
    if (origin !== undefined && !isOriginAllowed(origin, allowedOrigins) && !isOwnPage()) {
      return forbidden('Origin', origin, 'add it to the setting mcp.allowed_origins, or set PUBLIC_URL');
    }
    if (allowedHosts && !isHostAllowed(host, allowedHosts)) {
      return forbidden('Host', host ?? '', 'set PUBLIC_URL to the address under which clients reach the service');
    }
    allowBrowser(req, res);
    return null;
  }

  /** Serves a request. @throws errors that occur before any part of the response was sent */
  async handle(req: IncomingMessage, res: ServerResponse, caller: C): Promise<void> {
    res.on('error', this.options.onError);
    this.hasArrived = true;
    // A browser's preflight carries no credentials, so there is no caller to throttle.
    if (req.method === 'OPTIONS') return this.inTurn(req, res, caller);
    const number = this.requests.begin(res, caller);
    try {
      await this.inTurn(req, res, caller);
    } finally {
      this.requests.end(number);
    }
  }

  private async inTurn(req: IncomingMessage, res: ServerResponse, caller: C): Promise<void> {
    if (!this.pipelining.isItsTurn(res)) {
      const { maxPipelinedRequests } = this.options.limits();
      const isItsTurn = await this.pipelining.turn(req, res, maxPipelinedRequests);
      // A refusal would have to wait behind the other responses, and use more memory until then.
      if (!isItsTurn) return void req.socket.destroy();
    }
    if (req.method === 'OPTIONS') return sendEmpty(res, 204);
    const announced = Number(req.headers['content-length'] ?? 0);
    // A larger body is refused without being read.
    const bytes = announced > this.options.limits().maxBodyBytes ? 0 : announced;
    const isWanted = () => !isClosed(res);
    const turn = this.turns.turn(caller.name, { bytes, isWanted }, MOST_WAITING);
    if (!(turn === true || (await turn))) {
      this.turns.chargeRefusal(caller.name);
      return sendError(res, TOO_MANY_WAITING, null, { ...RETRY_SOON, Connection: 'close' });
    }
    if (isClosed(res)) return;
    try {
      await this.serve(req, res, caller);
    } catch (error) {
      if (!res.headersSent) throw error;
      // The response is a stream that has started: its client reconnects when it ends.
      this.options.onStorageError(error);
      res.end();
    }
  }

  private async serve(req: IncomingMessage, res: ServerResponse, caller: C): Promise<void> {
    switch (req.method) {
      case 'POST':
        return this.isClosed ? refuseStopping(res) : this.post(req, res, caller);
      case 'GET':
        // Its stream would end at once.
        if (this.closing) return refuseStopping(res);
        return this.sessionRequests.get(req, res, caller);
      case 'DELETE':
        return this.sessionRequests.delete(req, res, caller);
      default:
        return sendError(res, METHOD_NOT_ALLOWED, null, { Allow: 'POST, GET, DELETE' });
    }
  }

  /** Records changes and notifies every client that watches for them. */
  async publish(...events: ChangeEvent[]): Promise<void> {
    await this.options.storage.changes.append(...events);
    await this.follow();
  }

  /** Notifies clients of the changes that any process has recorded since the last call. */
  follow(): Promise<void> {
    const following = this.following.then(() => this.broadcastNews());
    this.following = following.catch(() => undefined);
    return following;
  }

  /** Handles news from another process; null = some news may have been lost, so that everything is compared with the storage. */
  async receive(news: RelayedNews | null): Promise<void> {
    if (news === null) return this.sessions.catchUp();
    if (news.kind === 'stream_followed') return this.sessionRequests.keepWaiting(news.streamId);
    await this.sessions.receive(news);
  }

  private async broadcastNews(): Promise<void> {
    const { changes } = this.options.storage;
    // A client whose subscription was confirmed must get the next change.
    await this.sessions.refreshed();
    const news = (await changes.after(this.broadcastSeq)) ?? allListsChanged(await changes.latest());
    for (const [index, { event, seq }] of news.entries()) {
      this.broadcastSeq = seq;
      if (event.kind !== 'task_changed') await this.sessions.broadcast(event, seq);
      await this.listenStreams.broadcast(event);
      // Each change may go to thousands of streams, and an import makes thousands of changes: yield to other work in between.
      if ((index + 1) % BROADCAST_AT_ONCE === 0) await nextTurn();
    }
  }

  /**
   * Ends all streams and calls of a client, or of one of its keys, and drops its sessions. The host deletes them from the
   * storage, and no longer accepts these keys.
   */
  revoke(whose: Revocation): void {
    this.requests.revoke(whose);
    this.sessions.revoke(whose);
    this.listenStreams.close(whose).catch(this.options.onError);
    this.sessionRequests.endFollowed(whose);
    this.exchanges.revoke(KEY_REVOKED, whose);
  }

  /** Ends the subscriptions of this process that are no longer allowed. Call it when access to resources has changed. */
  async endForbidden(): Promise<void> {
    await this.sessions.endForbidden();
    await this.listenStreams.endForbidden();
  }

  endSession(id: string): Promise<void> {
    return this.sessions.end(id);
  }

  /** Returns the streams of both eras that are open in this process. */
  openStreams(): OpenStream[] {
    return [...this.sessions.openStreams(), ...this.listenStreams.openStreams()];
  }

  counts(): EndpointCounts {
    const { warm, streams } = this.sessions.counts();
    return {
      arriving: this.requests.count,
      warmSessions: warm,
      streams: streams + this.listenStreams.count,
      calls: this.exchanges.count,
    };
  }

  /**
   * Ends the streams, so that clients reconnect elsewhere, and lets running calls finish. Requests are still served meanwhile: a
   * proxy may send the next call over the connection of an ended stream. Refuses new requests once it resolves.
   */
  async close(): Promise<void> {
    this.closing = true;
    const streamsClosed = inTime(this.sessions.close(), this.timing.drainMs, 'the end of streams was not recorded');
    this.sessionRequests.endFollowed();
    await this.listenStreams.close();
    const onStorageError = (error: unknown) => this.options.onStorageError(error);
    // The calls that ask then still have time to say how they continue.
    const endQuestions = setTimeout(() => this.sessions.endQuestions(), Math.max(0, this.timing.drainMs - ANSWER_MS));
    await Promise.all([this.drained(), streamsClosed.catch(onStorageError)]);
    clearTimeout(endQuestions);
    this.isClosed = true;
    this.exchanges.stop();
    // Pending messages of resumable streams are recorded first.
    await this.exchanges.drained(2 * this.timing.journalWithinMs);
    this.keepAlive.stop();
    this.unread.stop();
    await this.posts.close();
  }

  /** Resolves when no request has arrived for a moment, and all are answered. */
  private async drained(): Promise<void> {
    const { drainMs, lingerMs } = this.timing;
    const deadline = performance.now() + drainMs;
    do {
      await this.exchanges.drained(deadline - performance.now());
      this.hasArrived = false;
      await pause(lingerMs);
    } while ((this.hasArrived || this.requests.count > 0) && performance.now() < deadline);
  }

  private async post(req: IncomingMessage, res: ServerResponse, caller: C): Promise<void> {
    const posted = await this.posts.read(req, res);
    if (this.requests.isRevoked(res)) return sendError(res, KEY_REVOKED);
    if ('messages' in posted) {
      // An announced size was already charged.
      if (req.headers['content-length'] === undefined) this.turns.chargeBody(caller.name, posted.bytes);
      return this.dispatch(req, res, caller, posted);
    }
    const { error, id, headers } = posted;
    if (error) sendError(res, error, id, headers);
    else sendEmpty(res, 400);
  }

  private async dispatch(
    req: IncomingMessage,
    res: ServerResponse,
    caller: C,
    { messages, batch }: InboundPost,
  ): Promise<void> {
    if (!messages.some((message) => isStateless(req, message))) {
      return this.sessionRequests.post(req, res, { messages, caller, batch });
    }
    const [first] = messages;
    if (batch || !first) return sendError(res, NOT_JSON_RPC);
    await this.statelessRequests.post(req, res, first, caller);
  }
}

const refuseStopping = (res: ServerResponse): void =>
  sendError(res, SERVICE_STOPPING, null, { ...RETRY_SOON, Connection: 'close' });

/** How long a call whose question stays unanswered may take to end when the endpoint closes. */
const ANSWER_MS = 3_000;
const METHOD_NOT_ALLOWED = refused(405, 'Method not allowed: use POST, GET or DELETE');
/** How many changes to send before yielding to other work. */
const BROADCAST_AT_ONCE = 20;
/** How many requests of one client may wait for their turn. */
const MOST_WAITING = 4_000;
const TOO_MANY_WAITING = refused(
  429,
  `Too many requests at once: ${MOST_WAITING} of this client wait already. Wait for answers before you send more`,
);

const forbidden = (header: string, value: string, whatToDo: string): WireError =>
  refused(403, `${header} ${JSON.stringify(value)} is not allowed: ${whatToDo}`);
