import { Injectable } from '@nestjs/common';
import type { Client } from '#skill-kit';
import { PolicyService } from './policy.service.js';

/** How much more is looked for when some of what was found may not be shown. */
const MORE = 10;

interface Lookup<T> {
  limit: number;
  uriOf: (found: T) => string;
  /** Returns at most so many, the best first. */
  find: (limit: number) => Promise<T[]>;
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
  async findFor<T>(client: Client, { limit, uriOf, find }: Lookup<T>): Promise<T[]> {
    const readable = (found: T[]) => found.filter((one) => this.mayRead(client, uriOf(one)));
    const found = await find(limit);
    const shown = readable(found);
    if (shown.length === found.length || found.length < limit) return shown;
    return readable(await find(limit * MORE)).slice(0, limit);
  }
}
