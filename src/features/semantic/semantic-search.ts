import type { Lack } from '../../platform/text/search-lacks.rules.js';
import type { Collection, ItemFilter } from './collection.js';

export interface SemanticQuery {
  query: string;
  /** null = all items of the collection. */
  among: ItemFilter | null;
  limit: number;
  /** Collects what the results lack. */
  lacks?: Set<Lack> | undefined;
}

export interface SemanticMatch {
  id: number;
  /** Cosine of the angle between the vectors of the query and of the item. */
  near: number;
  /** The same, normalised among the compared items: 1 = the nearest, 0 = average or less. */
  nearness: number;
  /** True when it is near enough to be worth showing, regardless of its words. */
  isEnough: boolean;
}

export abstract class SemanticSearch {
  /** Makes a collection searchable: its items are embedded from now on. */
  abstract register(collection: Collection): void;

  /**
   * Returns the most similar items first, including those that are not near enough; none when no model is configured, or it does
   * not respond.
   */
  abstract find(collection: Collection, query: SemanticQuery): Promise<SemanticMatch[]>;
}

/** Finds nothing: for commands, which use no model. */
export class NoSemanticSearch extends SemanticSearch {
  override register(): void {
    // Embeds nothing.
  }

  override async find(): Promise<SemanticMatch[]> {
    return [];
  }
}
