/** A search result, and the page where people see it. */
export interface FoundEntry {
  /** The canonical URI. */
  uri: string;
  title: string;
  /** The path of a page of the administration, or the full URL of an external page. */
  page: string;
}

export interface FoundWhole extends FoundEntry {
  /** Texts by name. */
  metadata: Record<string, string>;
}

interface StoreQuery {
  query: string;
  limit: number;
  signal: AbortSignal;
}

/** A store that is searched together with others. Does not check policies. */
export interface SearchedStore {
  /** Returns the matches, best first. */
  search(query: StoreQuery): Promise<FoundEntry[]>;

  /** Returns the entry at a canonical URI; null when the URI is not of this store, or there is no entry. */
  find(uri: string): Promise<FoundWhole | null>;
}
