import type { ServerResponse } from 'node:http';
import type { ExceededLimit, OnExceeded } from './exceeded-limit.js';
import type { WireError } from './json-rpc.js';
import { refused } from './refusals.js';
import { whenClosed } from './responses.js';

/** How many of one kind may be open at once. */
export interface QuotaLimits {
  perClient: number;
  /** True when `perClient` is set for this client alone, instead of by the setting. */
  isOwn: boolean;
  inAll: number;
}

/** Returns the limits for a client: its own, or else those of every key. */
export const limitsFor = (own: number | null | undefined, perKey: number, inAll: number): QuotaLimits => ({
  perClient: own ?? perKey,
  isOwn: typeof own === 'number',
  inAll,
});

/** Something limited per key and in total. The name of the per-key setting ends in `_per_key`. */
interface Limited {
  limit: ExceededLimit['limit'];
  /** For messages, such as "calls at once". */
  what: string;
  setting: string;
  /** What else limits the total; absent = nothing. */
  bound?: string;
  advice: string;
}

export const CALLS: Limited = {
  limit: 'calls',
  what: 'calls at once',
  setting: 'mcp.max_calls',
  advice: 'Wait for some to end, then try again',
};
export const STREAMS: Limited = {
  limit: 'streams',
  what: 'open streams',
  setting: 'mcp.max_streams',
  bound: ', and at most three quarters of its limit of open files',
  advice: 'Close some, or try again later',
};
export const SESSIONS: Limited = {
  limit: 'sessions',
  what: 'sessions',
  setting: 'mcp.max_sessions',
  advice: 'End those that nobody needs (DELETE), or try again later',
};

export function tooMany(
  { what, setting, bound = '', advice }: Limited,
  scope: ExceededLimit['scope'],
  { perClient, isOwn, inAll }: QuotaLimits,
): WireError {
  const messageFor = (bounds: string) => `Too many ${what}: ${bounds}. ${advice}`;
  // A client's own excess is 429; the total is beyond any client's control, so 503.
  if (scope === 'all') return refused(503, messageFor(`the service takes ${inAll} (setting ${setting}${bound})`));
  if (isOwn) return refused(429, messageFor(`this client may have ${perClient} (set for it by an administrator)`));
  return refused(429, messageFor(`this key may have ${perClient} (setting ${setting}_per_key)`));
}

/** Limit for tracked clients that may have nothing open. */
const MOST_IDLE = 1_000;

/** Counts how many of one kind this process has open, and enforces the limits. */
export class Quota {
  private readonly byClient = new Map<string, number>();
  private all = 0;

  constructor(
    private readonly kind: Limited,
    private readonly limits: (client: string) => QuotaLimits,
    private readonly onExceeded: OnExceeded = () => {},
  ) {}

  /** Returns why a client may not have this many more; null when it may. */
  refusal(client: string, more = 1): WireError | null {
    const limits = this.limits(client);
    if (this.all + more > limits.inAll) return this.exceeded('all', limits);
    const ofClient = (this.byClient.get(client) ?? 0) + more;
    return ofClient > limits.perClient ? this.exceeded('client', limits) : null;
  }

  add(client: string, count: number): void {
    this.all += count;
    this.byClient.set(client, (this.byClient.get(client) ?? 0) + count);
  }

  remove(client: string, count: number): void {
    this.all -= count;
    const left = Math.max(0, (this.byClient.get(client) ?? 0) - count);
    // Most clients return at once: deleting and re-adding the entry costs more.
    if (left > 0 || this.byClient.size <= MOST_IDLE) this.byClient.set(client, left);
    else this.byClient.delete(client);
  }

  addUntilClosed(client: string, res: ServerResponse): void {
    this.add(client, 1);
    whenClosed(res, () => this.remove(client, 1));
  }

  private exceeded(scope: ExceededLimit['scope'], limits: QuotaLimits): WireError {
    this.onExceeded({ limit: this.kind.limit, scope });
    return tooMany(this.kind, scope, limits);
  }
}
