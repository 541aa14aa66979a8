import { Injectable } from '@nestjs/common';
import { parsedOrNull } from '#bounded-json';
import type { Relay, RelayedNews } from '#mcp-http';
import { ReplicaChannel } from '../../platform/database/replica-channel.service.js';
import { ReplicaStore } from '../../platform/database/replica.store.js';
import { PeriodicWork } from '../../platform/periodic/periodic-work.js';
import { RelayStore } from './relay.store.js';

const BEAT_EVERY_MS = 3_000;
/** A replica that was not seen for this long counts as dead. */
const AT_WORK_MS = 15_000;
/** How long messages are kept for replicas that missed their notification. */
const KEPT_MS = 60_000;
const FORGOTTEN_MS = 3_600_000;

/** The payload on the channel, which is limited to 8,000 bytes: for messages, only their number. */
type Payload = Exclude<RelayedNews, { kind: 'client_messages' }> | { kind: 'client_messages'; seq: number };

const KINDS: ReadonlySet<unknown> = new Set<Payload['kind']>([
  'session_ended',
  'session_changed',
  'stream_opened',
  'stream_followed',
  'client_messages',
]);

/** Connects the endpoints of all replicas on one PostgreSQL. On the embedded database there is only one. */
@Injectable()
export class ReplicaRelay extends PeriodicWork implements Relay {
  private lastBeatMs = -Infinity;
  /** Start of the time during which this replica was continuously visible to the others. */
  private steadySinceMs = Infinity;

  constructor(
    private readonly channel: ReplicaChannel,
    private readonly store: RelayStore,
    private readonly replicas: ReplicaStore,
  ) {
    super(BEAT_EVERY_MS);
  }

  override async onApplicationBootstrap(): Promise<void> {
    if (!this.channel.hasOthers) return;
    // Without the database, it starts anyway, and becomes visible to the others later.
    await this.tick().catch((error: unknown) =>
      this.logger.warn(`other replicas see this one later: ${String(error)}`),
    );
    this.begin();
  }

  override async onApplicationShutdown(): Promise<void> {
    await super.onApplicationShutdown();
    if (!this.channel.hasOthers) return;
    // On failure, the others notice after the timeout; the rest of the shutdown must continue.
    await this.replicas
      .forget(this.process)
      .catch((error: unknown) =>
        this.logger.warn(`other replicas notice later that this one has stopped: ${String(error)}`),
      );
  }

  get process(): string {
    return this.channel.self;
  }

  async send(news: RelayedNews): Promise<void> {
    if (!this.channel.hasOthers) return;
    const payload: Payload =
      news.kind === 'client_messages' ? { kind: news.kind, seq: await this.store.append(news) } : news;
    await this.channel.notify('relay', JSON.stringify(payload));
  }

  async isAtWork(process: string): Promise<boolean> {
    // A replica that was cut off from the database cannot know whether the others were, too.
    if (performance.now() - this.steadySinceMs < AT_WORK_MS) return true;
    return this.replicas.wasSeenWithin(process, AT_WORK_MS);
  }

  /** Parses a notification from another replica; null when it is not one. */
  async read(detail: string): Promise<RelayedNews | null> {
    const payload = parsePayload(detail);
    if (payload?.kind !== 'client_messages') return payload;
    const found = await this.store.find(payload.seq);
    return found && { kind: 'client_messages', ...found };
  }

  /** Returns the recently relayed messages of clients. */
  async latest(): Promise<RelayedNews[]> {
    const found = await this.store.listLatest(KEPT_MS);
    return found.map((messages) => ({ kind: 'client_messages' as const, ...messages }));
  }

  async tick(): Promise<void> {
    const now = performance.now();
    await this.replicas.saveSeen(this.process);
    if (now - this.lastBeatMs > AT_WORK_MS) this.steadySinceMs = now;
    this.lastBeatMs = now;
    await this.store.deleteOlderThan(KEPT_MS);
    await this.replicas.forgetUnseenFor(FORGOTTEN_MS);
  }
}

function parsePayload(detail: string): Payload | null {
  const value = parsedOrNull(detail);
  const { kind, sessionId, streamId, seq } = Object(value) as Record<string, unknown>;
  const names = kind === 'stream_followed' ? typeof streamId === 'string' : typeof sessionId === 'string';
  const isValid = kind === 'client_messages' ? Number.isSafeInteger(seq) : names;
  return KINDS.has(kind) && isValid ? (value as Payload) : null;
}
