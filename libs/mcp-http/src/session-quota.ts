import type { WireError } from './json-rpc.js';
import type { ExceededLimit, OnExceeded } from './exceeded-limit.js';
import { type QuotaLimits, SESSIONS, tooMany } from './quota.js';
import type { SessionStorage } from './storage.js';

/** A session not seen for this long is unused: one with an open stream is seen every minute. */
const UNUSED_MS = 5 * 60_000;
/** How often sessions are counted in the storage; in between, new ones are added to the count. */
const RECOUNT_EVERY_MS = 60_000;
const RECOUNT_FULL_EVERY_MS = 1_000;
/** How many unused sessions are ended at once, so that the next ones have room, too. */
const DROPPED_AT_ONCE = 100;

interface Count {
  sessions: number;
  /** When they were counted (`performance.now`): the clock may be set back. */
  atMs: number;
}

/** The client whose sessions are counted; null = all clients. */
type Scope = string | null;

/** Keeps the number of sessions within limits. Ends the least recently used ones to make room. */
export class SessionQuota {
  private readonly counts = new Map<Scope, Count>();
  private readonly recounts = new Map<Scope, Promise<void>>();

  constructor(
    private readonly storage: SessionStorage,
    private readonly limits: (client: string) => QuotaLimits,
    private readonly onExceeded: OnExceeded = () => {},
  ) {}

  /** Returns why a client may not open a session; null when it may, and then the session is counted. */
  async refusal(client: string): Promise<WireError | null> {
    const limits = this.limits(client);
    await this.refresh(client, limits.perClient);
    await this.refresh(null, limits.inAll);
    // Nothing is awaited between this check and the counting, so that concurrent openings cannot all pass it.
    if (this.countOf(client) >= limits.perClient) return this.exceeded('client', limits);
    if (this.countOf(null) >= limits.inAll) return this.exceeded('all', limits);
    for (const scope of [client, null]) this.countOne(scope);
    return null;
  }

  private exceeded(scope: ExceededLimit['scope'], limits: QuotaLimits): WireError {
    this.onExceeded({ limit: SESSIONS.limit, scope });
    return tooMany(SESSIONS, scope, limits);
  }

  private async refresh(scope: Scope, most: number): Promise<void> {
    const known = this.counts.get(scope);
    const goodForMs = known && known.sessions >= most ? RECOUNT_FULL_EVERY_MS : RECOUNT_EVERY_MS;
    if (known && performance.now() - known.atMs < goodForMs) return;
    const recount = this.recounts.get(scope) ?? this.recount(scope, most).finally(() => this.recounts.delete(scope));
    this.recounts.set(scope, recount);
    await recount;
  }

  private async recount(scope: Scope, most: number): Promise<void> {
    let sessions = await this.storage.count(scope);
    if (sessions >= most) {
      const before = new Date(Date.now() - UNUSED_MS);
      sessions -= await this.storage.deleteUnused({ client: scope, before, limit: DROPPED_AT_ONCE });
    }
    this.counts.set(scope, { sessions, atMs: performance.now() });
  }

  private countOf(scope: Scope): number {
    return this.counts.get(scope)?.sessions ?? 0;
  }

  private countOne(scope: Scope): void {
    const count = this.counts.get(scope);
    if (count) count.sessions += 1;
  }
}
