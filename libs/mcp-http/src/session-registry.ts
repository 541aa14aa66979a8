import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { JSONRPCRequest, JSONRPCResponse, MessageExtraInfo } from '@modelcontextprotocol/server';
import { isObject } from '#bounded-json';
import { type Caller, type Revocation, isRevoked, keyOf, type OpenStream } from './caller.js';
import { changeNotification, type PlainChange } from './change.js';
import type { EndpointOptions, EndpointTiming } from './endpoint-options.js';
import type { EventStreams } from './event-stream.js';
import type { JsonObject } from './json-rpc.js';
import { KEY_REVOKED, SESSION_ENDED } from './refusals.js';
import type { RelayedNews } from './relay.js';
import { unusedSince } from './storage.js';
import { inTurns } from './turns.js';
import { WarmSession } from './warm-session.js';

/** How often to check whether a sweep is due. */
const SWEEP_EVERY_MS = 250;
/** How many sessions are read from the storage at once. */
const READ_AT_ONCE = 200;
/** How often sessions are re-read that were written during the read. */
const MOST_TRIES = 5;

/** News about sessions from other processes. */
export type SessionNews = Exclude<RelayedNews, { kind: 'stream_followed' }>;

/** A session being restored from the storage, and what happens to it meanwhile. */
interface Waking<C extends Caller> {
  session: Promise<WarmSession<C> | null>;
  isEnded: boolean;
  /** Cut-offs that arrived meanwhile: the session's owner is known only once it is read. */
  readonly revocations: Revocation[];
}

/** The 2025-era sessions. All are rows in the storage; those in use are also in memory. */
export class SessionRegistry<C extends Caller> {
  /** In LRU order: the least recently used session comes first. */
  private readonly warm = new Map<string, WarmSession<C>>();
  private readonly waking = new Map<string, Waking<C>>();
  private readonly sweeper: NodeJS.Timeout;
  private sweptAt = Date.now();
  private refreshing: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: EndpointOptions<C>,
    private readonly timing: EndpointTiming,
    private readonly events: EventStreams,
  ) {
    this.sweeper = setInterval(() => this.sweepInTime(), Math.min(SWEEP_EVERY_MS, timing.warmMs / 4)).unref();
  }

  /** Opens a session if its `initialize` succeeds. The session is stored before the response is sent. */
  async initialize(
    request: JSONRPCRequest,
    caller: C,
    extra: MessageExtraInfo,
  ): Promise<{ session: WarmSession<C>; answer: JSONRPCResponse }> {
    const initialize = completed(request.params ?? {});
    const latest = await this.options.storage.changes.latest();
    const record = {
      id: randomUUID(),
      client: caller.name,
      key: keyOf(caller),
      protocolVersion: '',
      initialize,
      logLevel: null,
      subscriptions: [],
      eventSeq: latest,
      answered: { after: latest, upTo: latest },
      openStream: null,
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

  /**
   * Returns the session; null when there is none, or another client or another key opened it. It stays in memory until the
   * response is finished.
   */
  async find(id: string, caller: C, res: ServerResponse): Promise<WarmSession<C> | null> {
    const session = this.warm.get(id) ?? (await this.wake(id));
    if (!session || session.record.client !== caller.name || session.record.key !== keyOf(caller)) return null;
    if (session.isEnded) return null;
    session.useFor(res);
    this.warm.delete(id);
    this.warm.set(id, session);
    return session;
  }

  /** Ends a session for good, in every process: its streams, and its calls, which get an error that says so. */
  async end(id: string): Promise<void> {
    await this.options.storage.sessions.delete(id);
    await this.options.storage.relay?.send({ kind: 'session_ended', sessionId: id });
    await this.endHere(id);
  }

  private async endHere(id: string): Promise<void> {
    const waking = this.waking.get(id);
    if (waking) waking.isEnded = true;
    const session = this.warm.get(id);
    this.warm.delete(id);
    await session?.close(SESSION_ENDED);
  }

  /** Applies what another process did to a session. */
  async receive(news: SessionNews): Promise<void> {
    switch (news.kind) {
      case 'session_ended':
        return this.endHere(news.sessionId);
      case 'session_changed':
        await this.refresh(news.sessionId);
        return;
      case 'stream_opened':
        return this.warm.get(news.sessionId)?.yieldStream();
      case 'client_messages':
        for (const message of news.messages) this.warm.get(news.sessionId)?.transport.deliver(message);
    }
  }

  /** Compares the sessions in memory with the storage, because news of them may have been missed. */
  async catchUp(): Promise<void> {
    const ids = [...this.warm.keys()];
    for (let first = 0; first < ids.length; first += READ_AT_ONCE) {
      await this.compare(ids.slice(first, first + READ_AT_ONCE));
    }
  }

  /** Applies the changes of other processes to a session. Returns whether the session still exists. */
  async refresh(id: string): Promise<boolean> {
    const refreshing = this.refreshing.then(() => this.waking.get(id)?.session).then(() => this.compare([id]));
    this.refreshing = refreshing.catch(() => undefined);
    await refreshing;
    return this.warm.has(id);
  }

  private async compare(ids: readonly string[], tries = MOST_TRIES): Promise<void> {
    const saves = new Map(ids.map((id) => [id, this.warm.get(id)?.saves]));
    const records = await this.options.storage.sessions.listByIds(ids);
    const stored = new Map(records.map((record) => [record.id, record]));
    const outdated: string[] = [];
    for (const id of ids) {
      const [record, session] = [stored.get(id), this.warm.get(id)];
      if (!record) await this.endHere(id);
      else if (session && session.saves !== saves.get(id)) outdated.push(id);
      else await session?.takeOver(record);
    }
    // They were written during the read. A client that writes all the time must not block others: its session waits for the next
    // refresh.
    if (outdated.length > 0 && tries > 1) await this.compare(outdated, tries - 1);
  }

  /** Resolves when all refreshes requested so far are done. */
  refreshed(): Promise<void> {
    return this.refreshing;
  }

  /** A stream that opens meanwhile has read the change from the log, and does not get it again. */
  async broadcast(event: PlainChange, seq: number): Promise<void> {
    const notification = changeNotification(event);
    await inTurns(this.warm.values(), (session) => session.notify(event, seq, notification));
  }

  /** Ends the subscriptions that are no longer allowed. */
  endForbidden(): Promise<void> {
    return inTurns(this.warm.values(), (session) => session.endForbidden());
  }

  /** Drops the sessions covered by a cut-off, and ends their streams. */
  revoke(whose: Revocation): void {
    for (const { revocations } of this.waking.values()) revocations.push(whose);
    for (const [id, session] of this.warm) {
      if (!isRevoked(session.owner, whose)) continue;
      this.warm.delete(id);
      session.close(KEY_REVOKED).catch(this.options.onError);
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

  /** Ends the elicitations that nobody has answered yet. */
  endQuestions(): void {
    for (const session of this.warm.values()) session.transport.endQuestions();
  }

  /** Ends all streams. Resolves when their last changes are recorded. */
  async close(): Promise<void> {
    clearInterval(this.sweeper);
    const recorded: Promise<void>[] = [];
    await inTurns(this.warm.values(), (session) => recorded.push(session.interruptStream()));
    await Promise.all(recorded);
  }

  /** Returns the session once it is in memory; concurrent calls get the same one. */
  private wake(id: string): Promise<WarmSession<C> | null> {
    const running = this.waking.get(id);
    if (running) return running.session;
    const waking: Waking<C> = { session: Promise.resolve(null), isEnded: false, revocations: [] };
    this.waking.set(id, waking);
    return (waking.session = this.restore(id, waking).finally(() => this.waking.delete(id)));
  }

  private async restore(id: string, waking: Waking<C>): Promise<WarmSession<C> | null> {
    const record = await this.options.storage.sessions.find(id);
    if (!record || record.lastSeenAt < unusedSince(new Date(), this.options.limits().sessionIdleMs)) return null;
    const session = new WarmSession<C>(record, this.options, this.events);
    await session.restore();
    if (waking.isEnded || waking.revocations.some((whose) => isRevoked(session.owner, whose))) return null;
    // Callers start using the session a moment later.
    setImmediate(session.hold());
    this.keep(session);
    return session;
  }

  private keep(session: WarmSession<C>): void {
    this.warm.set(session.record.id, session);
    if (this.warm.size > this.timing.mostWarm) this.dropFirst((candidate) => candidate !== session && candidate.isIdle);
  }

  private dropFirst(test: (session: WarmSession<C>) => boolean): void {
    for (const [id, session] of this.warm) {
      if (test(session)) return void this.warm.delete(id);
    }
  }

  /** Sweeps several times within the idle limit of sessions, which may change at any time. */
  private sweepInTime(): void {
    const unusedMs = Math.min(this.timing.warmMs, this.options.limits().sessionIdleMs);
    const sinceMs = Date.now() - this.sweptAt;
    // Negative after the clock was set back.
    if (sinceMs >= 0 && sinceMs < unusedMs / 4) return;
    this.sweptAt = Date.now();
    this.sweep(this.sweptAt - unusedMs);
  }

  private sweep(before: number): void {
    for (const [id, session] of this.warm) {
      // A session with an open stream or a call is in use, even when nothing is sent.
      if (!session.isIdle) session.touch();
      else if (session.lastUsedAt < before) this.warm.delete(id);
    }
  }
}

/** Adds members that the handshake requires and scripts omit: the program's version, capabilities. */
function completed(params: JsonObject): JsonObject {
  const info = isObject(params['clientInfo']) ? params['clientInfo'] : {};
  return {
    ...params,
    capabilities: params['capabilities'] ?? {},
    clientInfo: { ...info, name: info['name'] ?? 'unknown', version: info['version'] ?? 'unknown' },
  };
}
