import { Injectable } from '@nestjs/common';
import type { Client } from '#skill-kit';
import { ReadableResources } from '../../access/policy/readable-resources.service.js';
import { ResourceRouter } from '../../core/resources/resource.router.js';
import { ResourceDenied, ResourceNotFound } from '../../core/resources/resources.errors.js';
import { searchedPart } from '../../platform/text/search-lacks.rules.js';
import { isEmptyQuery, parseTextQuery } from '../../platform/text/text-query.rules.js';
import { fuseRankings } from '../semantic/rank-fusion.rules.js';
import type { FoundEntry, FoundWhole, SearchedStore } from './searched-store.js';

/** Results per store. */
const MOST_OF_EACH = 10;
const MOST_CHARACTERS = 100_000;

/** The stores that are searched, in the order that breaks ties between results of the same rank. */
export class SearchedStores {
  constructor(readonly all: readonly SearchedStore[]) {}
}

/** Searches several stores at once, and fetches results, as far as policies let the client read them. */
@Injectable()
export class SearchEverywhere {
  constructor(
    private readonly stores: SearchedStores,
    private readonly resources: ResourceRouter,
    private readonly readable: ReadableResources,
  ) {}

  /** Returns the best matches of each store, interleaved by rank. */
  async search(asked: string, client: Client, signal: AbortSignal): Promise<FoundEntry[]> {
    const query = searchedPart(asked);
    if (isEmptyQuery(parseTextQuery(query))) return [];
    const rankings = await Promise.all(
      this.stores.all.map((store) =>
        this.readable.findFor(client, {
          limit: MOST_OF_EACH,
          uriOf: ({ uri }: FoundEntry) => uri,
          find: async (limit) => ({ items: await store.search({ query, limit, signal }), hasMore: false }),
        }),
      ),
    );
    return fuseRankings(rankings.map(({ items }) => items));
  }

  /**
   * Returns the entry at the URI of a result, or of a part of one, with its text.
   * @returns null when there is none, or the client may not read it
   */
  async fetch(uri: string, client: Client): Promise<(FoundWhole & { text: string }) | null> {
    const canonical = this.resources.canonical(uri);
    if (canonical === null) return null;
    for (const store of this.stores.all) {
      const found = await store.find(canonical);
      if (!found) continue;
      const text = await this.textOf(uri, client);
      return text === null ? null : { ...found, text };
    }
    return null;
  }

  private async textOf(uri: string, client: Client): Promise<string | null> {
    try {
      const contents = await this.resources.read(client, uri, { whole: true });
      return cut(contents.flatMap((content) => ('text' in content ? [content.text] : [])).join('\n\n'));
    } catch (error) {
      if (error instanceof ResourceNotFound || error instanceof ResourceDenied) return null;
      throw error;
    }
  }
}

function cut(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const shown = text.slice(0, MOST_CHARACTERS).toWellFormed();
  return `${shown}\n\n[Cut: these are the first ${MOST_CHARACTERS} of ${text.length} characters. resource_read reads any part.]`;
}
