import { Injectable } from '@nestjs/common';
import type { Client } from '#skill-kit';
import { PolicyService } from './policy.service.js';

/** How much more is looked for when some of what was found may not be shown. */
const MORE = 10;

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
    const readable = ({ items, hasMore }: Found<T>) => ({
      items: items.filter((one) => this.mayRead(client, uriOf(one))),
      hasMore,
    });
    const found = await find(limit);
    const shown = readable(found);
    if (shown.items.length === found.items.length || found.items.length < limit) return shown;
    const { items, hasMore } = readable(await find(limit * MORE));
    return { items: items.slice(0, limit), hasMore: hasMore || items.length > limit };
  }
}
