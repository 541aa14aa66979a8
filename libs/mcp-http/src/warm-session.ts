import type { ServerResponse } from 'node:http';
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type LoggingLevel,
  type MessageExtraInfo,
  type Server,
} from '@modelcontextprotocol/server';
import { type Caller, instructionsBy, type Program, toProgram } from './caller.js';
import { changeNotification, isFor, type LoggedChange, type PlainChange } from './change.js';
import { type EndpointOptions, RESUMABLE_SINCE, SESSION_VERSIONS } from './endpoint-options.js';
import type { EventStreams } from './event-stream.js';
import { type ErrorRules, ExchangeTransport } from './exchange-transport.js';
import { ErrorCode, errorMessage, isResourceNotFound, type WireError } from './json-rpc.js';
import { LeanServer } from './lean-server.js';
import { whenClosed } from './responses.js';
import { eventIdOf } from './resumable-stream.js';
import { type SessionRecord, type SessionStorage, type Delivered, touchEveryMs } from './storage.js';
import { SessionSubscriptions } from './session-subscriptions.js';

/** How many changes may queue up until a stream has caught up. Beyond that, its client reconnects for more. */
const MOST_WAITING = 10_000;

/** In the 2025 era, errors are sent in the body of a 200 (specification 2025-11-25, basic/transports). */
const SESSION_ERRORS: ErrorRules = {
  statusOf: () => 200,
  codeOf: (error) => (isResourceNotFound(error) ? ErrorCode.resourceNotFound : error.code),
};

/** A new GET stream, over which the client of a session is notified of changes. */
interface NewStream<C extends Caller> {
  /** As in the record of the session. */
  name: string;
  res: ServerResponse;
  caller: C;
  /** Number of the last change that was sent, or that its client knows of. */
  seq: number;
}

/** What is recorded about an ended stream. */
type StreamEnd = Pick<NewStream<Caller>, 'name' | 'seq'>;

interface GetStream<C extends Caller> extends NewStream<C> {
  /** The changes that arrived while the client's missed changes were being read; null = it has caught up. */
  waiting: { event: PlainChange; seq: number }[] | null;
}

/** A 2025-era session in memory: its record, its protocol server, and its GET stream when one is open. */
export class WarmSession<C extends Caller> {
  readonly transport: ExchangeTransport;
  readonly subscriptions: SessionSubscriptions;
  private readonly server: Server;
  private stream: GetStream<C> | null = null;
  /** Number of current users. */
  private users = 0;
  private ownProgram: Program | null = null; // null until requested, because the version is negotiated after the session is created
  private readonly logLevelSaves = { running: 0, ended: 0 };
  lastUsedAt = Date.now();
  /** True when there may be changes since `record.eventSeq` that the client, which had no stream, has not received. */
  isBehind = false;
  /** Until when another process is assumed to send the changes (`performance.now`). */
  streamElsewhereUntilMs = 0;
  /** The end of a stream that could not be recorded: other processes take the stream for open. */
  private unrecorded: StreamEnd | null = null;
  private recording: Promise<void> = Promise.resolve();

  constructor(
    readonly record: SessionRecord,
    private readonly options: EndpointOptions<C>,
    private readonly events: EventStreams,
  ) {
    this.subscriptions = new SessionSubscriptions(record, options, () => this.notifyOthers('session_changed'));
    this.transport = new ExchangeTransport(record.id, SESSION_ERRORS, (message) => this.sendOnStream(message));
    const { protocol } = options;
    const server = new LeanServer(protocol.serverInfo, {
      ...protocol.serverOptions,
      supportedProtocolVersions: SESSION_VERSIONS,
    });
    server.instructionsFor = instructionsBy(protocol);
    this.server = server;
    server.registerLate((method) => protocol.register(server, this.subscriptions, method));
    this.server.onerror = options.onError;
  }

  /** Returns the protocol server's response to the client's `initialize`. */
  async initialize(request: JSONRPCRequest, extra: MessageExtraInfo): Promise<JSONRPCResponse> {
    await this.transport.connect(this.server);
    return this.answerTo(request, extra);
  }

  /** Restores the protocol server by replaying the messages with which the client opened the session. */
  async restore(): Promise<void> {
    this.isBehind = true;
    const { initialize, logLevel } = this.record;
    await this.initialize({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { ...initialize } }, {});
    this.transport.deliver({
      kind: 'notification',
      message: { jsonrpc: '2.0', method: 'notifications/initialized' },
    });
    if (logLevel !== null) await this.setLogLevel(logLevel);
  }

  /** Counts as a use until the response is finished. */
  useFor(res: ServerResponse): void {
    this.touch();
    whenClosed(res, this.hold());
  }

  /** Counts as a use until the returned function is called. */
  hold(): () => void {
    this.users += 1;
    return () => {
      this.users -= 1;
      this.lastUsedAt = Date.now();
    };
  }

  touch(): void {
    this.lastUsedAt = Date.now();
    const sinceWrittenMs = this.lastUsedAt - this.record.lastSeenAt.getTime();
    if (sinceWrittenMs < touchEveryMs(this.options.limits().sessionIdleMs)) return;
    this.record.lastSeenAt = new Date(this.lastUsedAt);
    this.storage.touch(this.record.id, this.record.lastSeenAt).catch(this.options.onStorageError);
  }

  /** Records the log level, so that it survives a restore: the protocol server keeps it only in memory. */
  async recordLogLevel(level: LoggingLevel): Promise<void> {
    this.record.logLevel = level;
    this.logLevelSaves.running += 1;
    try {
      await this.storage.saveLogLevel(this.record.id, level);
    } finally {
      this.logLevelSaves.running -= 1;
      this.logLevelSaves.ended += 1;
    }
    await this.notifyOthers('session_changed');
  }

  /** Number of writes to the record: a record read before the latest of them may be outdated. */
  get saves(): number {
    return this.subscriptions.saves + this.logLevelSaves.ended;
  }

  /** Applies another process's changes to the record. */
  async takeOver({ subscriptions, logLevel, ...delivered }: SessionRecord): Promise<void> {
    this.subscriptions.takeOver(subscriptions);
    this.noteDelivered(delivered);
    if (this.unrecorded) await this.recordEnd(this.unrecorded);
    if (logLevel === null || logLevel === this.record.logLevel || this.logLevelSaves.running > 0) return;
    this.record.logLevel = logLevel;
    await this.setLogLevel(logLevel);
  }

  get program(): Program {
    const { initialize, protocolVersion } = this.record;
    return (this.ownProgram ??= toProgram('clientInfo' in initialize && initialize.clientInfo, protocolVersion));
  }

  get owner(): Caller {
    return { name: this.record.client, origin: { key: this.record.key } };
  }

  get isIdle(): boolean {
    return this.users === 0 && !this.stream && !this.unrecorded && this.transport.inFlight === 0;
  }

  get isEnded(): boolean {
    return this.transport.isEnded;
  }

  get hasStream(): boolean {
    return this.stream !== null;
  }

  /** False for older clients: they take a stream that ends as finished. */
  private get reopensStreams(): boolean {
    return this.record.protocolVersion >= RESUMABLE_SINCE;
  }

  /**
   * Records the name of the session's new stream, where that matters: other processes then leave it to this one to send changes.
   * Returns what the client has received so far.
   */
  async claimStream(name: string): Promise<Delivered> {
    const { relay, sessions } = this.options.storage;
    if (relay && !this.reopensStreams) {
      // If this fails, other processes may repeat to the client what it gets over the stream.
      const visible = await sessions.openStream(this.record.id, name).catch(this.options.onStorageError);
      if (visible) this.noteDelivered(visible);
    }
    const { eventSeq, answered } = this.record;
    return { eventSeq, answered };
  }

  /**
   * Makes `res` the GET stream of a caller, which knows the changes up to number `seq`. Ends an earlier stream, because the
   * client may have lost it. Changes queue up until `catchUp`.
   */
  attachStream(stream: NewStream<C>): void {
    this.closeStream();
    this.stream = { ...stream, waiting: [] };
    this.notifyOthers('stream_opened').catch(this.options.onStorageError);
    whenClosed(stream.res, () => {
      if (this.stream?.res === stream.res) this.leaveStream();
    });
  }

  /** Sends the client what it missed, up to change number `upTo`, and then what arrived meanwhile. */
  catchUp(res: ServerResponse, missed: readonly LoggedChange[], upTo: number): void {
    const { stream } = this;
    if (!stream?.waiting || stream.res !== res) return;
    const { waiting } = stream;
    stream.waiting = null;
    const send = ({ event, seq }: LoggedChange) => {
      // This era has no tasks.
      if (event.kind !== 'task_changed') this.notify(event, seq, changeNotification(event));
    };
    missed.forEach(send);
    stream.seq = Math.max(stream.seq, upTo);
    waiting.forEach(send);
  }

  /** Sends a change to the client, unless its stream already has it. */
  notify(event: PlainChange, seq: number, notification: string): void {
    if (!this.stream) this.isBehind = true;
    if (!this.stream || seq <= this.stream.seq || !isFor(event, this.record.client)) return;
    const { res, caller, waiting } = this.stream;
    if (waiting && waiting.length >= MOST_WAITING) return this.closeStream();
    if (waiting) return void waiting.push({ event, seq });
    const told = this.changesFor(event, caller);
    if (told.length === 0) return;
    this.stream.seq = seq;
    for (const change of told) {
      const text = change === event ? notification : changeNotification(change);
      // Only the last has an id: a client that resumes in the middle must get them all.
      this.events.event(res, text, change === told.at(-1) ? eventIdOf({ streamId: null, seq }) : undefined);
    }
  }

  /** Returns the changes to send to the session: for a resource, one for each URI by which it watches it. Empty = nothing to send. */
  changesFor(event: PlainChange, caller: C): PlainChange[] {
    if (event.kind !== 'resource_updated') return isFor(event, this.record.client) ? [event] : [];
    const written = this.subscriptions.writtenFor(event.uri);
    // The caller's access may have changed since it subscribed.
    if (written.length === 0 || !this.options.protocol.mayWatch(caller, event.uri)) return [];
    return written.map((uri) => ({ kind: 'resource_updated', uri }));
  }

  private sendOnStream(message: JSONRPCMessage): boolean {
    return this.stream !== null && this.events.event(this.stream.res, JSON.stringify(message));
  }

  /** Ends the subscriptions that are no longer allowed. */
  endForbidden(): void {
    const { caller } = this.stream ?? {};
    if (caller) this.subscriptions.keepOnly((uri) => this.options.protocol.mayWatch(caller, uri));
  }

  closeStream(): void {
    this.leaveStream()?.res.end();
  }

  /** Ends the stream because another process has opened one, unless this one is newer: such news may arrive late. */
  async yieldStream(): Promise<void> {
    const { stream } = this;
    if (!stream) return;
    const isNewest = !this.reopensStreams && (await this.storage.find(this.record.id))?.openStream === stream.name;
    if (this.stream !== stream) return;
    if (isNewest) await this.notifyOthers('stream_opened');
    else this.closeStream();
  }

  /** Ends the stream because the service stops, so that the client reopens it. Resolves when that is recorded. */
  async interruptStream(): Promise<void> {
    const stream = this.leaveStream();
    // Others reconnect only when it breaks.
    if (this.reopensStreams) stream?.res.end();
    else stream?.res.socket?.destroySoon();
    await this.recording;
  }

  /** Stops sending changes to the stream. What it sent counts as delivered; later changes are up to others. */
  private leaveStream(): GetStream<C> | null {
    const { stream } = this;
    if (!stream) return null;
    this.stream = null;
    this.lastUsedAt = Date.now();
    const { name, seq } = stream;
    this.record.eventSeq = Math.max(this.record.eventSeq, seq);
    this.recording = this.recordEnd({ name, seq });
    return stream;
  }

  private async recordEnd(end: StreamEnd): Promise<void> {
    try {
      await this.storage.closeStream(this.record.id, end.name, end.seq);
      this.unrecorded = null;
    } catch (error) {
      if (this.options.storage.relay) this.unrecorded = end;
      this.options.onStorageError(error);
    }
  }

  /** Merges what is known about the changes that the client received. */
  noteDelivered({ eventSeq, answered }: Delivered): void {
    this.record.eventSeq = Math.max(this.record.eventSeq, eventSeq);
    if (answered.upTo > this.record.answered.upTo) this.record.answered = answered;
  }

  /** Ends the session; its calls fail with the reason. */
  async close(reason: WireError): Promise<void> {
    this.closeStream();
    this.transport.end(reason);
    await this.server.close();
  }

  private async setLogLevel(level: LoggingLevel): Promise<void> {
    await this.answerTo({ jsonrpc: '2.0', id: 0, method: 'logging/setLevel', params: { level } }, {});
  }

  private async notifyOthers(kind: 'session_changed' | 'stream_opened'): Promise<void> {
    await this.options.storage.relay?.send({ kind, sessionId: this.record.id });
  }

  private answerTo(message: JSONRPCRequest, extra: MessageExtraInfo): Promise<JSONRPCResponse> {
    return new Promise((resolve) => {
      const abandon = (reason: WireError) => resolve(errorMessage(message.id, reason));
      this.transport.request(message, { answer: resolve, send: () => false, cancel: () => {}, abandon }, extra);
    });
  }

  private get storage(): SessionStorage {
    return this.options.storage.sessions;
  }
}
