import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Client } from '#skill-kit';
import { PolicyService } from './policy.service.js';

/** Factor by which the search grows when too many results are unreadable for the client. */
const MORE = 10;
/** Maximum number of results to look at. */
export const MOST_SCANNED = 1_000;
/** Decisions per turn of the event loop. */
const DECIDED_AT_ONCE = 100;

interface Found<T> {
  items: T[];
  /** True when more results follow; searches do not know. */
  hasMore: boolean;
}

interface Lookup<T> {
  limit: number;
  uriOf: (found: T) => string;
  /** Finds at most `limit` results, best first; fewer do not mean that no more follow. */
  find: (limit: number) => Promise<Found<T>>;
}

/** Filters search results by what policies let a client read. */
@Injectable()
export class ReadableResources {
  constructor(private readonly policy: PolicyService) {}

  /** @param uri in its canonical form */
  mayRead(client: Client, uri: string): boolean {
    return this.policy.decide({ client, action: 'readResource', uri }).allowed;
  }

  /** Returns at most `limit` results that the client may read. */
  async findFor<T>(client: Client, { limit, uriOf, find }: Lookup<T>): Promise<Found<T>> {
    for (let most = limit; ; most = Math.min(most * MORE, Math.max(limit, MOST_SCANNED))) {
      const found = await find(most);
      const items = await this.readable(client, found.items, uriOf);
      const isAll = !found.hasMore && found.items.length < most;
      if (isAll || items.length >= limit || most >= MOST_SCANNED)
        return { items: items.slice(0, limit), hasMore: found.hasMore || items.length > limit };
    }
  }

  private async readable<T>(client: Client, items: readonly T[], uriOf: (found: T) => string): Promise<T[]> {
    const readable: T[] = [];
    for (const [index, one] of items.entries()) {
      // Yields to the event loop between decisions, each of which may evaluate many policies.
      if (index > 0 && index % DECIDED_AT_ONCE === 0) await nextTurn();
      if (this.mayRead(client, uriOf(one))) readable.push(one);
    }
    return readable;
  }
}
