interface CollectionTables {
  /** The table of the items; the key is `id`. */
  items: string;
  /** The table of the vectors, which are deleted with their items. */
  vectors: string;
  /** The column of `vectors` that references the item. */
  item: string;
  /** The column of `items` that changes with the text of an item; null = texts never change. */
  revision: string | null;
}

export interface ItemText {
  id: number;
  /** The current revision of the item; null = texts never change. */
  revision: number | null;
  text: string;
}

/** A collection for semantic search: the rows of one table, each with at most one vector. */
export interface Collection {
  readonly name: 'knowledge' | 'memory' | 'packages';
  /** The event after which there may be items to embed. */
  readonly changedBy: 'knowledge.changed' | 'memory.changed' | 'packages.changed';
  readonly tables: CollectionTables;

  /** Returns the texts to embed of these items, in no particular order; leaves out those that no longer exist. */
  listTexts(ids: readonly number[]): Promise<ItemText[]>;
}

export interface ItemFilter {
  /** Returns the matching ids among these, in no particular order. */
  keep(ids: readonly number[]): Promise<number[]>;

  /** Returns the ids of at most `limit` matching items. */
  list(limit: number): Promise<number[]>;
}
