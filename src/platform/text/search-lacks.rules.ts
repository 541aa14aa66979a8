/** Possible gaps in the results of a search. */
export type Lack = 'query' | 'index' | 'model-busy' | 'model-failed';

/** Number of characters of a query that are searched for. */
export const LONGEST_QUERY = 1_000;
/** Maximum length of an accepted query, in characters. */
export const LONGEST_GIVEN = 100_000;
/** A longer word or phrase at the end of the searched part is cut. */
const LONGEST_END = 100;

const SENTENCES: Record<Lack, string> = {
  query: `Only the first ${LONGEST_QUERY} characters of the query were searched for.`,
  index: 'The index is being built: what is not in it yet is not found. Search again later.',
  'model-busy':
    'Found by words only: the model that finds by meaning is still being loaded. Search again in some seconds to find more.',
  'model-failed': 'Found by words only: the model that finds by meaning does not answer.',
};

/** How the results of a search are shown. */
export interface Shown {
  /** Characters of a result; of a longer one, the best matching part is returned. */
  most: number;
  /** True when the list continues after these. */
  hasMore: boolean;
  lacks: ReadonlySet<Lack>;
  /** The result after which the list continues; absent = none. */
  before?: string | undefined;
}

/** Returns sentences about the gaps of a result, each after a space; empty when there are none. */
export const describeLacks = (lacks: ReadonlySet<Lack>): string =>
  [...lacks].map((lack) => ` ${SENTENCES[lack]}`).join('');

/** Returns the searched part of a query, cut at a word boundary if possible. */
export function searchedPart(query: string, lacks?: Set<Lack>): string {
  if (query.length <= LONGEST_QUERY) return query;
  lacks?.add('query');
  const part = query.slice(0, LONGEST_QUERY + 1);
  const end = part.search(/\s\S*$/);
  return part.slice(0, end < LONGEST_QUERY - LONGEST_END ? LONGEST_QUERY : end);
}
