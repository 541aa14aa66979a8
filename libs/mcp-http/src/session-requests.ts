import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { JSONRPCNotification, JSONRPCRequest, LoggingLevel, MessageExtraInfo } from '@modelcontextprotocol/server';
import { authInfoOf, type Caller, type Revocation, type RequestsInProgress, toProgram } from './caller.js';
import { everythingChanged, withoutRepeats } from './change.js';
import {
  type EndpointOptions,
  type EndpointTiming,
  RESUMABLE_SINCE,
  SESSION_VERSIONS,
  STATELESS_VERSION,
} from './endpoint-options.js';
import { EVENT_STREAM_HEADERS, type EventStreams, spread } from './event-stream.js';
import type { Exchange } from './exchange.js';
import { askedOf } from './exchange-transport.js';
import type { Exchanges } from './exchanges.js';
import { FollowedStreams } from './followed-streams.js';
import {
  eventIdOf,
  inTime,
  parseEventId,
  type Recording,
  ResumableStream,
  type StreamPosition,
} from './resumable-stream.js';
import { ErrorCode, errorMessage, type InboundMessage, type WireError } from './json-rpc.js';
import { MissedChanges } from './missed-changes.js';
import { headerOf } from './request-headers.js';
import type { Quota } from './quota.js';
import { KEY_REVOKED, refused, RESUME_LATER, RETRY_LATER, RETRY_SOON, SESSION_UNKNOWN } from './refusals.js';
import { ALONE, type ClientMessage } from './relay.js';
import { isClosed, sendEmpty, sendError, sendJson, whenClosed } from './responses.js';
import { newStreamName } from './stream-owner.js';
import type { SessionQuota } from './session-quota.js';
import type { SessionRegistry } from './session-registry.js';
import { unsupportedVersion } from './stateless-requests.js';
import type { WarmSession } from './warm-session.js';

/** The only version with JSON-RPC batches. */
const BATCH_VERSION = '2025-03-26';

interface SessionParts<C extends Caller> {
  timing: EndpointTiming;
  exchanges: Exchanges;
  sessions: SessionRegistry<C>;
  sessionQuota: SessionQuota;
  events: EventStreams;
  streamQuota: Quota;
  requests: RequestsInProgress;
}

interface Posted<C extends Caller> {
  messages: InboundMessage[];
  caller: C;
  /** True when the messages came as a JSON-RPC batch. */
  batch: boolean;
}

/** The session that a request names, or the reason to refuse it. */
type SessionOutcome<C extends Caller> = { session: WarmSession<C> } | { problem: WireError };

/** Serves the 2025 era: `initialize` opens a session, and later requests name it in `Mcp-Session-Id`. */
export class SessionRequests<C extends Caller> {
  /** The resumable exchanges of this process, by stream id. */
  private readonly resumable = new Map<string, { exchange: Exchange; sessionId: string }>();
  private readonly recording: Recording;
  private readonly followed: FollowedStreams;
  private readonly missedChanges: MissedChanges<C>;

  constructor(
    private readonly options: EndpointOptions<C>,
    private readonly parts: SessionParts<C>,
  ) {
    this.missedChanges = new MissedChanges(options, parts.timing);
    this.recording = {
      journal: options.storage.journal,
      withinMs: parts.timing.journalWithinMs,
      readWithinMs: parts.timing.readWithinMs,
      onError: (error) => options.onStorageError(error),
    };
    this.followed = new FollowedStreams(options, parts);
  }

  async post(req: IncomingMessage, res: ServerResponse, { messages, caller, batch }: Posted<C>): Promise<void> {
    const requests = messages.flatMap((message) => (message.kind === 'request' ? [message.message] : []));
    const initialize = requests.find((request) => request.method === 'initialize');
    if (initialize && messages.length === 1) return this.initialize(res, initialize, caller, batch);

    const refuse = (problem: WireError, headers?: OutgoingHttpHeaders) => {
      const answers = requests.map(({ id }) => errorMessage(id, problem));
      const answer = batch && answers.length > 0 ? answers : (answers[0] ?? errorMessage(null, problem));
      sendJson(res, problem.httpStatus, answer, headers);
    };
    // Within a session, the protocol server would negotiate anew.
    if (initialize) return refuse(INITIALIZE_IN_BATCH);
    const found = await this.sessionOf(req, res, caller);
    if ('problem' in found) return refuse(found.problem);
    const { session } = found;
    if (batch && session.record.protocolVersion !== BATCH_VERSION) return refuse(NO_BATCHES);
    await this.deliver(session, messages);
    if (requests.length === 0) return sendEmpty(res, 202);
    const level = requests.find((request) => request.method === 'logging/setLevel')?.params?.['level'];
    if (isLoggingLevel(level)) await session.recordLogLevel(level);
    if (isClosed(res)) return;
    const isLate = session.isBehind && !batch;
    const late = isLate ? await this.missedChanges.take(req, session, this.identified(session, caller)) : [];
    if (this.parts.requests.isRevoked(res)) return refuse(KEY_REVOKED);
    const refusal = this.parts.exchanges.refusal(caller.name, requests.length);
    if (refusal) return refuse(refusal, RETRY_SOON);
    this.serve(req, res, session, { requests, caller, batch }, late);
  }

  /** Delivers notifications and responses; those for a call that another process may serve go to all processes. */
  private async deliver({ record, transport }: WarmSession<C>, messages: readonly InboundMessage[]): Promise<void> {
    const foreign: ClientMessage[] = [];
    for (const message of messages) {
      if (message.kind !== 'request' && transport.deliver(message)) foreign.push(message);
    }
    const { relay } = this.options.storage;
    if (foreign.length > 0) await relay?.send({ kind: 'client_messages', sessionId: record.id, messages: foreign });
  }

  async get(req: IncomingMessage, res: ServerResponse, caller: C): Promise<void> {
    // Clients probe for a stream without a session. 405 stops this; 400 makes some of them retry forever.
    if (headerOf(req, 'mcp-session-id') === undefined) return sendError(res, NO_STREAM, null, NO_GET);
    const found = await this.sessionOf(req, res, caller);
    if ('problem' in found) return sendError(res, found.problem);
    const { session } = found;
    const position = parseEventId(headerOf(req, 'last-event-id') ?? '');
    if (position?.streamId) {
      const { seq, streamId } = position;
      return this.resume(res, session, caller, { seq, streamId });
    }
    await this.openStream(res, session, caller, position);
  }

  async delete(req: IncomingMessage, res: ServerResponse, caller: C): Promise<void> {
    const found = await this.sessionOf(req, res, caller);
    if ('problem' in found) return sendError(res, found.problem);
    const { session } = found;
    await this.parts.sessions.end(session.record.id);
    sendEmpty(res, 200);
  }

  private async initialize(res: ServerResponse, request: JSONRPCRequest, caller: C, batch: boolean): Promise<void> {
    const refusal = await this.parts.sessionQuota.refusal(caller.name);
    if (refusal) return sendError(res, refusal, request.id, RETRY_LATER);
    const { clientInfo, protocolVersion } = request.params ?? {};
    const program = toProgram(clientInfo, typeof protocolVersion === 'string' ? protocolVersion : '');
    const identified = this.options.identify?.(caller, { program, sessionId: null }) ?? caller;
    const extra = { authInfo: authInfoOf(identified) };
    const { session, answer } = await this.parts.sessions.initialize(request, caller, extra);
    const opened = 'result' in answer;
    if (this.parts.requests.isRevoked(res) || isClosed(res)) {
      if (opened) await this.parts.sessions.end(session.record.id);
      return sendError(res, KEY_REVOKED, request.id);
    }
    if (opened) this.options.onRequest?.(caller, session.program);
    const headers = opened ? { 'Mcp-Session-Id': session.record.id } : {};
    const body = { ...answer, id: request.id };
    sendJson(res, 200, batch ? [body] : body, headers);
  }

  private async sessionOf(req: IncomingMessage, res: ServerResponse, caller: C): Promise<SessionOutcome<C>> {
    const version = headerOf(req, 'mcp-protocol-version');
    if (version !== undefined && !KNOWN_VERSIONS.has(version)) return { problem: unsupportedVersion(version) };
    const id = headerOf(req, 'mcp-session-id');
    if (id === undefined) return { problem: SESSION_MISSING };
    const session = SESSION_ID.test(id) ? await this.parts.sessions.find(id, caller, res) : null;
    if (this.parts.requests.isRevoked(res)) return { problem: KEY_REVOKED };
    if (!session) return { problem: SESSION_UNKNOWN };
    this.options.onRequest?.(caller, session.program);
    return { session };
  }

  private serve(
    req: IncomingMessage,
    res: ServerResponse,
    session: WarmSession<C>,
    { requests, caller, batch }: Omit<Posted<C>, 'messages'> & { requests: JSONRPCRequest[] },
    late: JSONRPCNotification[],
  ): void {
    const resumable = this.resumableStream(session, requests);
    const sessionId = session.record.id;
    let streamId: string | null = null;
    const exchange = this.parts.exchanges.open(req, res, {
      caller,
      requestIds: requests.map(({ id }) => id),
      batch,
      headers: { 'Mcp-Session-Id': sessionId },
      resumable,
      onResumable: (id, opened) => this.resumable.set((streamId = id), { exchange: opened, sessionId }),
      onAbandoned: () => session.transport.cancel(exchange),
      onEnd: () => streamId !== null && this.resumable.delete(streamId),
    });
    for (const notification of late) exchange.send(notification);
    const extra: MessageExtraInfo = {
      authInfo: authInfoOf(this.identified(session, caller)),
      ...(resumable && { closeSSEStream: () => exchange.release() }),
    };
    for (const request of requests) {
      // The SDK would respond with an internal error.
      if (hasUnknownLevel(request)) exchange.answer(errorMessage(request.id, UNKNOWN_LEVEL), 200, askedOf(request));
      else session.transport.request(request, exchange, extra);
    }
  }

  /** Returns the caller, extended by what the session knows. */
  private identified(session: WarmSession<C>, caller: C): C {
    const source = { program: session.program, sessionId: session.record.id };
    return this.options.identify?.(caller, source) ?? caller;
  }

  private resumableStream(session: WarmSession<C>, requests: JSONRPCRequest[]): ResumableStream | null {
    if (session.record.protocolVersion < RESUMABLE_SINCE) return null;
    const requestIds = requests.map((request) => request.id);
    const { process } = this.options.storage.relay ?? ALONE;
    return new ResumableStream(this.recording, { sessionId: session.record.id, requestIds, process });
  }

  /** Opens the GET stream, starting with the changes missed since `position` or since the last stream. */
  private async openStream(
    res: ServerResponse,
    session: WarmSession<C>,
    caller: C,
    position: StreamPosition | null,
  ): Promise<void> {
    const refusal = this.parts.streamQuota.refusal(session.record.client);
    if (refusal) return sendError(res, refusal, null, RETRY_LATER);
    this.parts.streamQuota.addUntilClosed(session.record.client, res);
    if (this.options.storage.relay && !(await this.parts.sessions.refresh(session.record.id)))
      return sendError(res, SESSION_UNKNOWN);
    if (isClosed(res)) return;
    const { changes } = this.options.storage;
    const name = newStreamName((this.options.storage.relay ?? ALONE).process);
    const delivered = await session.claimStream(name);
    const latest = await changes.latest();
    if (this.parts.requests.isRevoked(res)) return sendError(res, KEY_REVOKED);
    if (session.isEnded) return sendError(res, SESSION_UNKNOWN);
    const since = Math.min(position?.seq ?? delivered.eventSeq, latest);
    this.beginStream(res, session);
    this.prime(res, session, since);
    whenClosed(
      res,
      this.parts.events.keepAlive.add(() => this.parts.events.comment(res)),
    );
    // The log is read after the stream is attached: each recorded change is either read here, or sent to the stream.
    session.attachStream({ name, res, seq: since, caller: this.identified(session, caller) });
    const logged = await changes.after(since);
    if (!logged) return session.catchUp(res, everythingChanged(session.subscriptions.list(), since), latest);
    // Changes sent with responses count as delivered, whatever event the client received last over a stream.
    const { answered } = delivered;
    const missed = logged.filter(({ seq }) => seq <= answered.after || seq > answered.upTo);
    session.catchUp(res, withoutRepeats(missed), logged.at(-1)?.seq ?? since);
  }

  private beginStream(res: ServerResponse, session: WarmSession<C>): void {
    res.writeHead(200, { ...EVENT_STREAM_HEADERS, 'Mcp-Session-Id': session.record.id });
    res.flushHeaders();
  }

  private prime(res: ServerResponse, session: WarmSession<C>, seq: number): void {
    const { events, timing } = this.parts;
    // Some older clients treat an event without data, or a lone `retry`, as a broken message.
    if (session.record.protocolVersion < RESUMABLE_SINCE) return void events.comment(res);
    events.primer(res, eventIdOf({ streamId: null, seq }));
    events.retry(res, spread(timing.streamRetryMs));
  }

  /** Continues a response stream whose connection broke. */
  private async resume(
    res: ServerResponse,
    session: WarmSession<C>,
    caller: C,
    { seq, streamId }: { seq: number; streamId: string },
  ): Promise<void> {
    const running = this.resumable.get(streamId);
    if (running?.sessionId === session.record.id) {
      this.resumeStream(res, session);
      return running.exchange.resume(res, seq);
    }
    const stream = await this.recorded(streamId);
    if (isClosed(res)) return;
    if (this.parts.requests.isRevoked(res)) return sendError(res, KEY_REVOKED);
    if (stream === 'unreadable') return sendError(res, RESUME_LATER, null, RETRY_SOON);
    if (stream?.sessionId !== session.record.id) return sendError(res, STREAM_UNKNOWN, null, NO_GET);
    this.resumeStream(res, session);
    await this.followed.serve(res, caller, { streamId, seq });
  }

  private resumeStream(res: ServerResponse, session: WarmSession<C>): void {
    this.beginStream(res, session);
    // The client may have received a short `retry` for this response alone.
    this.parts.events.retry(res, spread(this.parts.timing.streamRetryMs));
  }

  /** Keeps a call alive whose client follows its stream from another process. */
  keepWaiting(streamId: string): void {
    this.resumable.get(streamId)?.exchange.keepWaiting();
  }

  /** Ends the followed streams covered by a cut-off, or all of them. */
  endFollowed(whose?: Revocation): void {
    this.followed.end(whose);
  }

  /** Returns the journal entry of a stream; null when there is none. */
  private async recorded(streamId: string) {
    const { journal } = this.options.storage;
    try {
      return await inTime(journal.find(streamId), this.parts.timing.readWithinMs, 'the stream was not found');
    } catch (error) {
      this.options.onStorageError(error);
      return 'unreadable';
    }
  }
}

const LOGGING_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

function hasUnknownLevel({ method, params }: JSONRPCRequest): boolean {
  return method === 'logging/setLevel' && !isLoggingLevel(params?.['level']);
}

function isLoggingLevel(value: unknown): value is LoggingLevel {
  return LOGGING_LEVELS.some((level) => level === value);
}

const KNOWN_VERSIONS: ReadonlySet<string> = new Set([...SESSION_VERSIONS, STATELESS_VERSION]);

/** The format of session ids. Other ids need no lookup in the storage. */
const SESSION_ID = /^[!-~]{1,100}$/;

const SESSION_MISSING = refused(
  400,
  'Mcp-Session-Id header missing: send initialize first, then send the session id that it returns',
);
// Clients treat 404 as the end of their session, and retry after 400. After 405, they continue with their session.
const STREAM_UNKNOWN = refused(
  405,
  'Nothing to resume: this stream is over and forgotten. GET without Last-Event-ID opens the stream of the session',
);
const NO_GET = { Allow: 'POST, DELETE' };
const NO_STREAM = refused(405, 'Method not allowed: GET opens the stream of a session named in Mcp-Session-Id');
const NO_BATCHES = refused(400, `Batches exist only in protocol version ${BATCH_VERSION}`, ErrorCode.invalidRequest);
const INITIALIZE_IN_BATCH = refused(400, 'Send initialize alone, not in a batch', ErrorCode.invalidRequest);
const UNKNOWN_LEVEL: WireError = {
  httpStatus: 200,
  code: ErrorCode.invalidParams,
  message: `Invalid params: "level" must be one of ${LOGGING_LEVELS.join(', ')}`,
};
