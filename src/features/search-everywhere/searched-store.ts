/** What a search finds, and where people see it. */
export interface FoundEntry {
  /** The canonical URI. */
  uri: string;
  title: string;
  /** Of a page of the administration, as a path; or of a page elsewhere, whole. */
  page: string;
}

export interface FoundWhole extends FoundEntry {
  /** Texts by name. */
  metadata: Record<string, string>;
}

interface StoreQuery {
  query: string;
  limit: number;
  /** Ends the search. */
  signal: AbortSignal;
}

/** A store that is searched together with others. Asks no policy. */
export interface SearchedStore {
  /** Returns what matches, the best first. */
  search(query: StoreQuery): Promise<FoundEntry[]>;

  /** Returns what is at a canonical URI; null when that is not of this store, or nothing is there. */
  find(uri: string): Promise<FoundWhole | null>;
}
