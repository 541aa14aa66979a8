/** The tables of a collection. */
interface CollectionTables {
  /** Each of its rows is an item; its key is `id`. */
  items: string;
  /** Its rows hold the vectors, and go with their items. */
  vectors: string;
  /** The column of `vectors` that names the item. */
  item: string;
  /** The column of `items` that changes with the text of an item; null = the text of an item never changes. */
  revision: string | null;
}

export interface ItemText {
  id: number;
  /** As the item has it at this moment; null = the text of an item never changes. */
  revision: number | null;
  text: string;
}

/** What is searched by meaning: the rows of one table, each of which has at most one vector. */
export interface Collection {
  readonly name: 'knowledge' | 'memory' | 'packages';
  /** Is sent when items have changed: there may be something to embed. */
  readonly changedBy: 'knowledge.changed' | 'memory.changed' | 'packages.changed';
  readonly tables: CollectionTables;

  /** Returns what to embed of these items, in no particular order; leaves out those that no longer exist. */
  listTexts(ids: readonly number[]): Promise<ItemText[]>;
}

/** Which items of a collection a search is about. */
export interface ItemFilter {
  /** Returns those of the ids that are wanted, in no particular order. */
  keep(ids: readonly number[]): Promise<number[]>;

  /** Returns the ids of wanted items, at most `limit`. */
  list(limit: number): Promise<number[]>;
}
