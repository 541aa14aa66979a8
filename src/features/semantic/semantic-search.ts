import type { Lack } from '../../platform/text/search-lacks.rules.js';
import type { Collection, ItemFilter } from './collection.js';

export interface SemanticQuery {
  query: string;
  /** Null = all items of the collection. */
  among: ItemFilter | null;
  limit: number;
  /** Takes what the answer lacks. */
  lacks?: Set<Lack> | undefined;
}

export interface SemanticMatch {
  id: number;
  /** Cosine of the angle between the vectors of the query and of the item. */
  near: number;
  /** The same compared with the other items that were looked at: 1 = the nearest, 0 = as near as the average, or less. */
  nearness: number;
  /** Whether it is near enough to be worth showing, whatever its words. */
  isEnough: boolean;
}

/** Finds items by meaning, whatever their words. */
export abstract class SemanticSearch {
  /** Makes a collection searchable: from now on, its items are embedded. */
  abstract register(collection: Collection): void;

  /** Returns the most similar items first, also those that are not near enough; none when no model is set or it does not answer. */
  abstract find(collection: Collection, query: SemanticQuery): Promise<SemanticMatch[]>;
}

/** Finds nothing: for commands, which use no model. */
export class NoSemanticSearch extends SemanticSearch {
  override register(): void {
    // Nothing is embedded.
  }

  override async find(): Promise<SemanticMatch[]> {
    return [];
  }
}
