import type { ServerResponse } from 'node:http';
import type { WireError } from './json-rpc.js';
import { refused } from './refusals.js';
import { whenClosed } from './responses.js';

/** How many of one kind there may be at once. */
export interface QuotaLimits {
  perClient: number;
  /** Whether `perClient` is for this client alone, and no setting. */
  isOwn: boolean;
  inAll: number;
}

/** Returns the limits for a client: its own where it has one, else those of every key. */
export const limitsFor = (own: number | null | undefined, perKey: number, inAll: number): QuotaLimits => ({
  perClient: own ?? perKey,
  isOwn: typeof own === 'number',
  inAll,
});

/** A kind of thing that is limited for each key and in all. The setting for each key has `_per_key` at its end. */
interface Limited {
  /** Such as "calls at once". */
  what: string;
  setting: string;
  advice: string;
}

export const CALLS: Limited = {
  what: 'calls at once',
  setting: 'mcp.max_calls',
  advice: 'Wait for some to end, then try again',
};
export const STREAMS: Limited = {
  what: 'open streams',
  setting: 'mcp.max_streams',
  advice: 'Close some, or try again later',
};
export const SESSIONS: Limited = {
  what: 'sessions',
  setting: 'mcp.max_sessions',
  advice: 'End those that nobody needs (DELETE), or try again later',
};

export function tooMany(
  { what, setting, advice }: Limited,
  exceeded: 'perClient' | 'inAll',
  { perClient, isOwn, inAll }: QuotaLimits,
): WireError {
  const told = (scope: string) => `Too many ${what}: ${scope}. ${advice}`;
  // What a client does to itself is 429; what all do together, no client can help.
  if (exceeded === 'inAll') return refused(503, told(`the service takes ${inAll} (setting ${setting})`));
  if (isOwn) return refused(429, told(`this client may have ${perClient} (set for it by an administrator)`));
  return refused(429, told(`this key may have ${perClient} (setting ${setting}_per_key)`));
}

/** How many clients are known at most, also of those that have nothing open. */
const MOST_IDLE = 1_000;

/** Counts what this process has open of one kind, and keeps it within limits. */
export class Quota {
  private readonly byClient = new Map<string, number>();
  private all = 0;

  constructor(
    private readonly kind: Limited,
    private readonly limits: (client: string) => QuotaLimits,
  ) {}

  /** Returns why a client may not have so many more; null when it may. */
  refusal(client: string, more = 1): WireError | null {
    const limits = this.limits(client);
    if (this.all + more > limits.inAll) return tooMany(this.kind, 'inAll', limits);
    const ofClient = (this.byClient.get(client) ?? 0) + more;
    return ofClient > limits.perClient ? tooMany(this.kind, 'perClient', limits) : null;
  }

  add(client: string, count: number): void {
    this.all += count;
    this.byClient.set(client, (this.byClient.get(client) ?? 0) + count);
  }

  remove(client: string, count: number): void {
    this.all -= count;
    const left = Math.max(0, (this.byClient.get(client) ?? 0) - count);
    // Most come back at once: to forget a client and to know it again costs more.
    if (left > 0 || this.byClient.size <= MOST_IDLE) this.byClient.set(client, left);
    else this.byClient.delete(client);
  }

  /** Counts one until its response is closed. */
  addUntilClosed(client: string, res: ServerResponse): void {
    this.add(client, 1);
    whenClosed(res, () => this.remove(client, 1));
  }
}
