import { bestPart } from '../text/excerpt.rules.js';
import type { MemoryHit } from './memory-entry.js';
import { memoryUri } from './memory.rules.js';
import type { MemorySearchHit, MemorySearchResult } from './search.schema.js';

const HINT =
  'Some are shown only in part: read such an entry whole with resource_read and its URI before you save it again.';

/**
 * Returns what is found as the result of a call.
 * @param most characters of an entry; of a longer one, the part is returned that matches best
 */
export function toSearchResult(query: string, found: readonly MemoryHit[], most: number): MemorySearchResult {
  const hits = found.map((hit) => toSearchHit(hit, most));
  if (hits.length === 0)
    return { hits, hint: `Nothing is remembered about ${JSON.stringify(query)}. Try other or fewer words.` };
  return hits.some(({ truncated }) => truncated) ? { hits, hint: HINT } : { hits };
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

/** Returns the same as text. */
export function describeResult({ hits, hint = '' }: MemorySearchResult): string {
  if (hits.length === 0) return hint;
  const entries = hits.map((hit, index) => {
    const by = hit.program === undefined ? hit.client : `${hit.program} (${hit.client})`;
    const facts = [`importance ${hit.importance}`, `saved by ${by} on ${hit.updated.slice(0, 10)}`];
    if (hit.tags.length > 0) facts.push(`tags: ${hit.tags.join(', ')}`);
    const cut = hit.truncated ? `\n   Only a part: ${hit.content.length} of ${hit.characters} characters` : '';
    return `${index + 1}. ${hit.uri} (${facts.join('; ')})${cut}\n\n${hit.content}`;
  });
  return [`${hits.length} found, the best first. ${hint}`.trimEnd(), ...entries].join('\n\n----\n\n');
}
