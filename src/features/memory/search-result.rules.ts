import { bestPart } from '../../platform/text/excerpt.rules.js';
import { describeLacks, searchedPart, type Shown } from '../../platform/text/search-lacks.rules.js';
import type { MemoryHit } from './memory-entry.js';
import { memoryUri } from './memory.rules.js';
import type { MemorySearchHit, MemorySearchResult } from './search.schema.js';

const PARTS =
  'Some are shown only in part: read such an entry whole with resource_read and its URI before you save it again.';

/**
 * Returns the result of a search.
 * @param query undefined = none; lists the newest
 */
export function toSearchResult(
  query: string | undefined,
  found: readonly MemoryHit[],
  { most, hasMore, lacks, before }: Shown,
): MemorySearchResult {
  const hits = found.map((hit) => toSearchHit(hit, most));
  if (hits.length === 0) return { hits, hint: nothingFound(query, before) + describeLacks(lacks) };
  const order = query === undefined ? 'the newest first' : 'the best first';
  const sentences = [
    `${hits.length} found, ${order}.`,
    ...(hits.some(({ truncated }) => truncated) ? [PARTS] : []),
    ...(hasMore ? [`There are older ones: call again with before ${JSON.stringify(hits.at(-1)?.uri)}.`] : []),
  ];
  return { hits, hint: sentences.join(' ') + describeLacks(lacks) };
}

function nothingFound(query: string | undefined, before: string | undefined): string {
  if (before !== undefined) return `Nothing older is remembered that fits: the list ends with ${before}.`;
  if (query === undefined) return 'Nothing is remembered that fits. memory_save remembers something.';
  return `Nothing is remembered about ${JSON.stringify(searchedPart(query))}. Try other or fewer words, or leave out the query to see what is newest.`;
}

function toSearchHit({ entry, matches }: MemoryHit, most: number): MemorySearchHit {
  const { start, end } = bestPart(entry.content, matches, most);
  return {
    uri: memoryUri(entry),
    namespace: entry.namespace,
    key: entry.key,
    content: entry.content.slice(start, end),
    truncated: end - start < entry.content.length,
    characters: entry.content.length,
    tags: [...entry.tags],
    importance: entry.importance,
    client: entry.client,
    ...(entry.program !== null && { program: entry.program }),
    updated: entry.updatedAt.toISOString(),
  };
}

export function describeResult({ hits, hint }: MemorySearchResult): string {
  const entries = hits.map((hit, index) => {
    const by = hit.program === undefined ? hit.client : `${hit.program} (${hit.client})`;
    const facts = [`importance ${hit.importance}`, `saved by ${by} on ${hit.updated.slice(0, 10)}`];
    if (hit.tags.length > 0) facts.push(`tags: ${hit.tags.join(', ')}`);
    const size = hit.truncated
      ? `Only a part: ${hit.content.length} of ${hit.characters} characters`
      : `${hit.characters} ${hit.characters === 1 ? 'character' : 'characters'}`;
    return `${index + 1}. ${hit.uri} (${facts.join('; ')})\n   ${size}\n\n${hit.content}`;
  });
  return [hint, ...entries].join('\n\n----\n\n');
}
