/** What the answer to a search may lack. */
export type Lack = 'query' | 'index' | 'model-busy' | 'model-failed';

/** Characters of a query that are searched for. */
export const LONGEST_QUERY = 1_000;
/** Characters of a query that is taken at all. */
export const LONGEST_GIVEN = 100_000;
/** A word or phrase at the end of the part that is longer than this is cut. */
const LONGEST_END = 100;

const SENTENCES: Record<Lack, string> = {
  query: `Only the first ${LONGEST_QUERY} characters of the query were searched for.`,
  index: 'The index is being built: what is not in it yet is not found. Search again later.',
  'model-busy':
    'Found by words only: the model that finds by meaning is still being loaded. Search again in some seconds to find more.',
  'model-failed': 'Found by words only: the model that finds by meaning does not answer.',
};

/** Returns what to tell about an answer, each sentence after a space; nothing about one that lacks nothing. */
export const describeLacks = (lacks: ReadonlySet<Lack>): string =>
  [...lacks].map((lack) => ` ${SENTENCES[lack]}`).join('');

/** Returns the part of a query that is searched for, which ends with a whole word where it can. */
export function searchedPart(query: string, lacks?: Set<Lack>): string {
  if (query.length <= LONGEST_QUERY) return query;
  lacks?.add('query');
  const part = query.slice(0, LONGEST_QUERY + 1);
  const end = part.search(/\s\S*$/);
  return part.slice(0, end < LONGEST_QUERY - LONGEST_END ? LONGEST_QUERY : end);
}
