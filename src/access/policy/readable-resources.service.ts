import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Client } from '#skill-kit';
import { PolicyService } from './policy.service.js';

/** How much more is looked for each time that too much of what was found may not be shown. */
const MORE = 10;
/** How many are looked at, at most. */
const MOST_LOOKED_AT = 1_000;
/** How many decisions are made in one turn of the event loop. */
const DECIDED_AT_ONCE = 100;

interface Found<T> {
  items: T[];
  /** Whether there are others behind them. */
  hasMore: boolean;
}

interface Lookup<T> {
  limit: number;
  uriOf: (found: T) => string;
  /** Finds at most so many, the best first. */
  find: (limit: number) => Promise<Found<T>>;
}

/** Leaves out of the results of searches what policies do not let a client read. */
@Injectable()
export class ReadableResources {
  constructor(private readonly policy: PolicyService) {}

  /** @param uri in its canonical form */
  mayRead(client: Client, uri: string): boolean {
    return this.policy.decide({ client, action: 'readResource', uri }).allowed;
  }

  /** Returns at most `limit` of what is found, all of which the client may read. */
  async findFor<T>(client: Client, { limit, uriOf, find }: Lookup<T>): Promise<Found<T>> {
    for (let most = limit; ; most = Math.min(most * MORE, Math.max(limit, MOST_LOOKED_AT))) {
      const found = await find(most);
      const items = await this.readable(client, found.items, uriOf);
      const isAll = found.items.length < most || items.length === found.items.length;
      if (isAll || items.length >= limit || most >= MOST_LOOKED_AT)
        return { items: items.slice(0, limit), hasMore: found.hasMore || items.length > limit };
    }
  }

  private async readable<T>(client: Client, items: readonly T[], uriOf: (found: T) => string): Promise<T[]> {
    const readable: T[] = [];
    for (const [index, one] of items.entries()) {
      // Others have their turn between decisions, each of which may go through many policies.
      if (index > 0 && index % DECIDED_AT_ONCE === 0) await nextTurn();
      if (this.mayRead(client, uriOf(one))) readable.push(one);
    }
    return readable;
  }
}
