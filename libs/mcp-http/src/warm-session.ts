import type { ServerResponse } from 'node:http';
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type LoggingLevel,
  type MessageExtraInfo,
  ProtocolError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Caller, callerOf, type Program, toProgram } from './caller.js';
import type { ChangeEvent } from './change.js';
import { type EndpointOptions, SESSION_VERSIONS } from './endpoint-options.js';
import type { EventStreams } from './event-stream.js';
import { type ErrorRules, ExchangeTransport } from './exchange-transport.js';
import { ErrorCode } from './json-rpc.js';
import { isResourceNotFound } from './protocol.errors.js';
import { subscriptionsProblem } from './refusals.js';
import { eventIdOf } from './resumable-stream.js';
import type { SessionRecord, SessionStorage } from './storage.js';

/** How often `lastSeenAt` is written while a session is used. */
const TOUCH_EVERY_MS = 60_000;

/** In the 2025 era, errors come in the body of a 200 (specification 2025-11-25, basic/transports). */
const SESSION_ERRORS: ErrorRules = {
  statusOf: () => 200,
  codeOf: (error) => (isResourceNotFound(error) ? ErrorCode.resourceNotFound : error.code),
};

/** A 2025-era session that is in memory: its record, its protocol server, and its GET stream when one is open. */
export class WarmSession<C extends Caller> {
  readonly transport: ExchangeTransport;
  private readonly server: Server;
  private stream: { res: ServerResponse; seq: number } | null = null;
  private ownProgram: Program | null = null; // null until asked for: the version is agreed after the session is made
  /** URIs of `resources/subscribe`. */
  private readonly subscribed: Set<string>;
  private subscribedBytes: number;
  private lastSave: Promise<void> = Promise.resolve();
  private nextSave: Promise<void> | null = null; // null = none waits to begin
  lastUsedAt = Date.now();

  constructor(
    readonly record: SessionRecord,
    private readonly options: EndpointOptions<C>,
    private readonly events: EventStreams,
  ) {
    this.subscribed = new Set(record.subscriptions);
    this.subscribedBytes = record.subscriptions.reduce((bytes, uri) => bytes + uri.length, 0);
    this.transport = new ExchangeTransport(record.id, SESSION_ERRORS, (message) => this.sendOnStream(message));
    this.server = new Server(options.serverInfo, {
      ...options.serverOptions,
      supportedProtocolVersions: SESSION_VERSIONS,
    });
    options.register(this.server);
    this.registerSubscriptions();
    this.server.onerror = options.onError;
  }

  /** Has the client's `initialize` answered by this session's protocol server. */
  async initialize(request: JSONRPCRequest, extra: MessageExtraInfo): Promise<JSONRPCResponse> {
    await this.transport.connect(this.server);
    return this.answerTo(request, extra);
  }

  /** Brings the protocol server to where it was, by what the client told it at first. */
  async restore(): Promise<void> {
    const { initialize, logLevel } = this.record;
    await this.initialize({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { ...initialize } }, {});
    this.transport.deliver({
      kind: 'notification',
      message: { jsonrpc: '2.0', method: 'notifications/initialized' },
    });
    if (logLevel === null) return;
    await this.answerTo({ jsonrpc: '2.0', id: 0, method: 'logging/setLevel', params: { level: logLevel } }, {});
  }

  touch(): void {
    this.lastUsedAt = Date.now();
    if (this.lastUsedAt - this.record.lastSeenAt.getTime() < TOUCH_EVERY_MS) return;
    this.record.lastSeenAt = new Date(this.lastUsedAt);
    this.storage.touch(this.record.id, this.record.lastSeenAt).catch(this.options.onStorageError);
  }

  /** The protocol server keeps the level in memory; a session that is brought back needs it again. */
  async recordLogLevel(level: LoggingLevel): Promise<void> {
    this.record.logLevel = level;
    await this.storage.saveLogLevel(this.record.id, level);
  }

  get program(): Program {
    const { initialize, protocolVersion } = this.record;
    return (this.ownProgram ??= toProgram('clientInfo' in initialize && initialize.clientInfo, protocolVersion));
  }

  get isIdle(): boolean {
    return this.stream === null && this.transport.inFlight === 0;
  }

  get hasStream(): boolean {
    return this.stream !== null;
  }

  /** Makes `res` the GET stream; a stream that was open before ends, because its client may have lost it. */
  attachStream(res: ServerResponse, seq: number): void {
    this.closeStream();
    const stream = { res, seq };
    this.stream = stream;
    res.on('close', () => {
      if (this.stream === stream) this.stream = null;
      this.lastUsedAt = Date.now();
      this.record.eventSeq = stream.seq;
      this.storage.saveEventSeq(this.record.id, stream.seq).catch(this.options.onStorageError);
    });
  }

  get subscriptions(): Iterable<string> {
    return this.subscribed;
  }

  /** Tells the client of a change, once: an event that its stream already had is passed over. */
  notify(event: ChangeEvent, seq: number, notification: string): void {
    if (!this.stream || seq <= this.stream.seq) return;
    if (event.kind === 'resource_updated' && !this.subscribed.has(event.uri)) return;
    this.stream.seq = seq;
    this.events.event(this.stream.res, notification, eventIdOf({ streamId: null, seq }));
  }

  private sendOnStream(message: JSONRPCMessage): boolean {
    return this.stream !== null && this.events.event(this.stream.res, JSON.stringify(message));
  }

  closeStream(): void {
    this.stream?.res.end();
    this.stream = null;
  }

  async close(): Promise<void> {
    this.closeStream();
    await this.server.close();
  }

  private answerTo(message: JSONRPCRequest, extra: MessageExtraInfo): Promise<JSONRPCResponse> {
    return new Promise((resolve) => {
      this.transport.request(message, { answer: resolve, send: () => {}, forgo: () => {} }, extra);
    });
  }

  private registerSubscriptions(): void {
    if (!this.options.serverOptions.capabilities?.resources?.subscribe) return;
    this.server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, ctx: ServerContext) => {
      await this.options.assertMayWatch(callerOf<C>(ctx), uri);
      this.assertRoomFor(uri);
      if (this.subscribed.has(uri)) return {};
      this.subscribed.add(uri);
      this.subscribedBytes += uri.length;
      await this.saveSubscriptions();
      return {};
    });
    this.server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
      if (!this.subscribed.delete(uri)) return {};
      this.subscribedBytes -= uri.length;
      await this.saveSubscriptions();
      return {};
    });
  }

  private assertRoomFor(uri: string): void {
    if (this.subscribed.has(uri)) return;
    const problem = subscriptionsProblem(
      { count: this.subscribed.size + 1, bytes: this.subscribedBytes + uri.length },
      this.options.limits(),
    );
    if (problem !== null) throw new ProtocolError(ErrorCode.refused, problem);
  }

  /** Resolves when what holds now is saved. One write at a time: those that are asked for meanwhile become one. */
  private saveSubscriptions(): Promise<void> {
    if (this.nextSave) return this.nextSave;
    const save = this.lastSave.then(() => {
      this.nextSave = null;
      return this.storage.saveSubscriptions(this.record.id, [...this.subscribed]);
    });
    this.nextSave = save;
    this.lastSave = save.catch(() => undefined);
    return save;
  }

  private get storage(): SessionStorage {
    return this.options.storage.sessions;
  }
}
