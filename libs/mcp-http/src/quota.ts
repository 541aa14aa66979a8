import type { ServerResponse } from 'node:http';
import type { WireError } from './json-rpc.js';
import { refused } from './refusals.js';

/** How many of one kind there may be at once. */
export interface QuotaLimits {
  perClient: number;
  inAll: number;
}

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
  exceeded: keyof QuotaLimits,
  limits: QuotaLimits,
): WireError {
  const scope =
    exceeded === 'perClient'
      ? `this key may have ${limits.perClient} (setting ${setting}_per_key)`
      : `the service takes ${limits.inAll} (setting ${setting})`;
  return refused(503, `Too many ${what}: ${scope}. ${advice}`);
}

/** Counts what this process has open of one kind, and keeps it within limits. */
export class Quota {
  private readonly byClient = new Map<string, number>();
  private all = 0;

  constructor(
    private readonly kind: Limited,
    private readonly limits: () => QuotaLimits,
  ) {}

  /** Returns why a client may not have so many more; null when it may. */
  refusal(client: string, more = 1): WireError | null {
    const limits = this.limits();
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
    const left = (this.byClient.get(client) ?? 0) - count;
    if (left > 0) this.byClient.set(client, left);
    else this.byClient.delete(client);
  }

  /** Counts one until its response is closed. */
  addUntilClosed(client: string, res: ServerResponse): void {
    this.add(client, 1);
    res.once('close', () => this.remove(client, 1));
  }
}
