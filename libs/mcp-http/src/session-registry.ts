import { randomUUID } from 'node:crypto';
import type { JSONRPCRequest, JSONRPCResponse, MessageExtraInfo } from '@modelcontextprotocol/server';
import { type Caller, type CutOff, isCutOff, keyOf, type OpenStream } from './caller.js';
import { changeNotification, type PlainChange } from './change.js';
import type { EndpointOptions, EndpointTiming } from './endpoint-options.js';
import type { EventStreams } from './event-stream.js';
import { isObject, type JsonObject } from './json-rpc.js';
import type { RelayedNews } from './relay.js';
import type { SessionRecord } from './storage.js';
import { WarmSession } from './warm-session.js';

/** How many sessions may be in memory. Beyond that, each new one replaces an unused one. */
const MAX_WARM = 5_000;
/** How many sessions are read from the storage at once. */
const READ_AT_ONCE = 200;

/** What other processes tell about sessions. */
export type SessionNews = Exclude<RelayedNews, { kind: 'stream_followed' }>;

/** The 2025-era sessions. All are rows in the storage; those in use are in memory, too. */
export class SessionRegistry<C extends Caller> {
  private readonly warm = new Map<string, WarmSession<C>>();
  private readonly waking = new Map<string, Promise<WarmSession<C> | null>>();
  private readonly sweeper: NodeJS.Timeout;
  private refreshing: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: EndpointOptions<C>,
    private readonly timing: EndpointTiming,
    private readonly events: EventStreams,
  ) {
    this.sweeper = setInterval(() => this.sweep(), timing.warmMs / 4).unref();
  }

  /** Opens a session if its `initialize` succeeds. The session is stored before the client gets the answer. */
  async initialize(
    request: JSONRPCRequest,
    caller: C,
    extra: MessageExtraInfo,
  ): Promise<{ session: WarmSession<C>; answer: JSONRPCResponse }> {
    const initialize = completed(request.params ?? {});
    const record = {
      id: randomUUID(),
      client: caller.name,
      key: keyOf(caller),
      protocolVersion: '',
      initialize,
      logLevel: null,
      subscriptions: [],
      eventSeq: await this.options.storage.changes.latest(),
      lastSeenAt: new Date(),
    };
    const session = new WarmSession<C>(record, this.options, this.events);
    const answer = await session.initialize({ ...request, params: initialize }, extra);
    if ('result' in answer) {
      session.record.protocolVersion = String(answer.result['protocolVersion']);
      await this.options.storage.sessions.create(session.record);
      this.keep(session);
    }
    return { session, answer };
  }

  /** Returns the session; null when there is none, or it was opened by another client or with another key. */
  async find(id: string, caller: C): Promise<WarmSession<C> | null> {
    const session = this.warm.get(id) ?? (await this.wake(id));
    if (!session || session.record.client !== caller.name || session.record.key !== keyOf(caller)) return null;
    session.touch();
    return session;
  }

  /** Ends a session for good, in every process. */
  async end(id: string): Promise<void> {
    await this.options.storage.sessions.delete(id);
    await this.options.storage.relay?.tell({ kind: 'session_ended', sessionId: id });
    await this.endHere(id);
  }

  private async endHere(id: string): Promise<void> {
    const session = this.warm.get(id);
    this.warm.delete(id);
    await session?.close();
  }

  /** Takes note of what another process did to a session. */
  async hear(news: SessionNews): Promise<void> {
    switch (news.kind) {
      case 'session_ended':
        return this.endHere(news.sessionId);
      case 'session_changed':
        await this.refresh(news.sessionId);
        return;
      case 'stream_opened':
        return this.warm.get(news.sessionId)?.closeStream();
      case 'client_messages':
        for (const message of news.messages) this.warm.get(news.sessionId)?.transport.deliver(message);
    }
  }

  /** Compares the sessions in memory with the storage, because news of them may have been missed. */
  async catchUp(): Promise<void> {
    const ids = [...this.warm.keys()];
    for (let first = 0; first < ids.length; first += READ_AT_ONCE) {
      const some = ids.slice(first, first + READ_AT_ONCE);
      await this.compare(some, await this.options.storage.sessions.listByIds(some));
    }
  }

  /** Takes over what other processes changed in a session. Returns whether there still is one of this id. */
  async refresh(id: string): Promise<boolean> {
    const refreshing = this.refreshing
      .then(() => this.waking.get(id))
      .then(() => this.options.storage.sessions.listByIds([id]))
      .then((records) => this.compare([id], records));
    this.refreshing = refreshing.catch(() => undefined);
    await refreshing;
    return this.warm.has(id);
  }

  private async compare(ids: readonly string[], records: readonly SessionRecord[]): Promise<void> {
    const stored = new Map(records.map((record) => [record.id, record]));
    for (const id of ids) {
      const record = stored.get(id);
      await (record ? this.warm.get(id)?.takeOver(record) : this.endHere(id));
    }
  }

  /** Resolves when what other processes changed so far holds here, too. */
  refreshed(): Promise<void> {
    return this.refreshing;
  }

  broadcast(event: PlainChange, seq: number): void {
    const notification = changeNotification(event);
    for (const session of this.warm.values()) session.notify(event, seq, notification);
  }

  /** Ends the subscriptions that are no longer allowed. */
  endForbidden(): void {
    for (const session of this.warm.values()) session.endForbidden();
  }

  /** Forgets the sessions of those who are cut off, and ends their streams. */
  cutOff(whose: CutOff): void {
    for (const [id, session] of this.warm) {
      if (!isCutOff(session.owner, whose)) continue;
      this.warm.delete(id);
      session.close().catch(this.options.onError);
    }
  }

  counts(): { warm: number; streams: number } {
    const streams = [...this.warm.values()].filter((session) => session.hasStream).length;
    return { warm: this.warm.size, streams };
  }

  openStreams(): OpenStream[] {
    return [...this.warm.values()]
      .filter((session) => session.hasStream)
      .map(({ record, program }) => ({ caller: record.client, program, sessionId: record.id }));
  }

  close(): void {
    clearInterval(this.sweeper);
    for (const session of this.warm.values()) session.interruptStream();
  }

  private async wake(id: string): Promise<WarmSession<C> | null> {
    const running = this.waking.get(id) ?? this.restore(id).finally(() => this.waking.delete(id));
    this.waking.set(id, running);
    return running;
  }

  private async restore(id: string): Promise<WarmSession<C> | null> {
    const record = await this.options.storage.sessions.find(id);
    if (!record || record.lastSeenAt.getTime() + this.options.limits().sessionIdleMs < Date.now()) return null;
    const session = new WarmSession<C>(record, this.options, this.events);
    await session.restore();
    this.keep(session);
    return session;
  }

  private keep(session: WarmSession<C>): void {
    this.warm.set(session.record.id, session);
    if (this.warm.size > MAX_WARM) this.dropFirst((candidate) => candidate !== session && candidate.isIdle);
  }

  private dropFirst(test: (session: WarmSession<C>) => boolean): void {
    for (const [id, session] of this.warm) {
      if (test(session)) return void this.warm.delete(id);
    }
  }

  private sweep(): void {
    const before = Date.now() - this.timing.warmMs;
    for (const [id, session] of this.warm) {
      // A session with an open stream is in use, even when nothing is sent on it.
      if (session.hasStream) session.touch();
      else if (session.isIdle && session.lastUsedAt < before) this.warm.delete(id);
    }
  }
}

/** Adds what the handshake requires and scripts leave out: a version of the program, capabilities. */
function completed(params: JsonObject): JsonObject {
  const info = isObject(params['clientInfo']) ? params['clientInfo'] : {};
  return {
    ...params,
    capabilities: params['capabilities'] ?? {},
    clientInfo: { ...info, name: info['name'] ?? 'unknown', version: info['version'] ?? 'unknown' },
  };
}
