import { bestPart } from '../../platform/text/excerpt.rules.js';
import { describeLacks, searchedPart, type Shown } from '../../platform/text/search-lacks.rules.js';
import type { FoundPart, KnowledgeHit, Match } from './documents/document.js';
import { documentUri, passageUri } from './documents/document.rules.js';
import type { FurtherPassage, KnowledgeSearchHit, KnowledgeSearchResult } from './search.schema.js';

const HINT =
  'Passages are verbatim. Read on with resource_read: the passage_uri with another number for the passages around it, or the ' +
  'uri of the document, whole or with a section such as "Install".';

/**
 * Returns the result of a search.
 * @param query undefined = none; lists the newest
 */
export function toSearchResult(
  query: string | undefined,
  found: readonly KnowledgeHit[],
  { most, hasMore, lacks, before }: Shown,
): KnowledgeSearchResult {
  const hits = found.map((hit) => toSearchHit(hit, most));
  if (hits.length === 0) return { hits, hint: nothingFound(query, before) + describeLacks(lacks) };
  const order = query === undefined ? 'the last changed first, each with its first passage' : 'the best first';
  const more = hasMore ? ` There are older ones: call again with before ${JSON.stringify(hits.at(-1)?.uri)}.` : '';
  return { hits, hint: `${hits.length} found, ${order}. ${HINT}${more}${describeLacks(lacks)}` };
}

function nothingFound(query: string | undefined, before: string | undefined): string {
  if (before !== undefined) return `There are no older documents that fit: the list ends with ${before}.`;
  if (query === undefined) return 'The knowledge base has no documents that fit. knowledge_save adds one.';
  return `Nothing in the knowledge base matches ${JSON.stringify(searchedPart(query))}. Try other or fewer words, or search without tags; without a query, the newest documents are listed.`;
}

function toSearchHit({ document, match, also, ...found }: KnowledgeHit, most: number): KnowledgeSearchHit {
  const { passage_uri, section, passage, truncated } = toPassage(document.id, found, most);
  const { previous, next } = found.neighbours;
  const { lead } = found.passage;
  return {
    uri: documentUri(document.id),
    passage_uri,
    id: document.id,
    version: document.version,
    title: document.title,
    section,
    ...(lead !== '' && { continues: lead }),
    passage,
    truncated,
    ...(also && { also: toPassage(document.id, also, most) }),
    ...(previous && { previous: sectionOf(previous) }),
    ...(next && { next: sectionOf(next) }),
    match,
    tags: [...document.tags],
    updated: document.updatedAt.toISOString(),
  };
}

function toPassage(id: string, { passage, matches }: FoundPart, most: number): FurtherPassage {
  const { start, end } = bestPart(passage.content, matches, most);
  return {
    passage_uri: passageUri(id, passage.position),
    section: sectionOf(passage.headings),
    passage: passage.content.slice(start, end),
    truncated: end - start < passage.content.length,
  };
}

const sectionOf = (headings: readonly string[]): string => headings.join(' > ');

const MATCH_FACTS: Record<Match, string[]> = {
  all: [],
  some: ['has some of the words'],
  meaning: ['found by its meaning'],
  listed: [],
};

/** Returns the same result as text. */
export function describeResult({ hits, hint }: KnowledgeSearchResult): string {
  const entries = hits.map((hit, index) => `${index + 1}. ${describeHit(hit)}`);
  return [hint, ...entries].join('\n\n----\n\n');
}

function describeHit(hit: KnowledgeSearchHit): string {
  const facts = [
    ...MATCH_FACTS[hit.match],
    `version ${hit.version}`,
    `updated ${hit.updated.slice(0, 10)}`,
    ...(hit.tags.length > 0 ? [`tags: ${hit.tags.join(', ')}`] : []),
  ];
  const lines = [
    `${hit.title} (${facts.join('; ')})`,
    `Document: ${hit.uri}`,
    ...placeOf(hit, hit.title),
    ...aroundOf(hit),
    ...(hit.continues === undefined ? [] : [`Continues: ${hit.continues}`]),
  ];
  const also = hit.also ? `\n\n   ${placeOf(hit.also, hit.title).join('\n   ')}\n\n${hit.also.passage}` : '';
  return `${lines.join('\n   ')}\n\n${hit.passage}${also}`;
}

const placeOf = ({ passage_uri, section, truncated }: FurtherPassage, title: string): string[] => [
  `Passage: ${passage_uri}${truncated ? ' (only a part of it is shown; read it for the rest)' : ''}`,
  ...(section !== '' && section !== title ? [`Section: ${section}`] : []),
];

function aroundOf({ title, previous, next }: KnowledgeSearchHit): string[] {
  const before = previous === undefined ? [] : [`before it: ${previous || title}`];
  const after = next === undefined ? [] : [`after it: ${next || title}`];
  return before.length + after.length === 0 ? [] : [`Around it: ${[...before, ...after].join('; ')}`];
}
