import { type AnyFeed, parseFeed } from 'feedsmith';
import type { FeedDocument } from './document.js';
import { fromAtom } from './formats/atom.rules.js';
import { fromJsonFeed } from './formats/json-feed.rules.js';
import { fromRdf } from './formats/rdf.rules.js';
import { fromRss } from './formats/rss.rules.js';
import { prepareXml } from './xml.rules.js';

const MAX_ITEMS = 1000;
/** Limit for JSON: a document of nothing but `{}` takes twenty times its size in memory once it is parsed. */
const MAX_BRACKETS = 1_000_000;

/** Parses RSS, Atom or JSON Feed; returns null when it is none of them. Resolves relative URLs against `url`. */
export function parseFeedDocument(text: string, url: string): FeedDocument | null {
  if (/^\uFEFF?\s*\{/.test(text)) {
    if (hasTooManyBrackets(text)) return null;
    // Without NUL characters, which PostgreSQL does not store.
    const parsed = parsedOrNull(text.trim().replace(/\\(?:\\|u0000)/g, (escape) => (escape === '\\\\' ? escape : '')));
    return parsed?.format === 'json' ? { ...fromAny(parsed, url), isComplete: true } : null;
  }
  const prepared = prepareXml(text, MAX_ITEMS);
  const parsed = prepared && parsedOrNull(prepared.xml);
  return parsed && { ...fromAny(parsed, url), isComplete: prepared.isComplete };
}

function hasTooManyBrackets(json: string): boolean {
  const brackets = /[[{]/g;
  let count = 0;
  while (count <= MAX_BRACKETS && brackets.test(json)) count += 1;
  return count > MAX_BRACKETS;
}

// The parser throws on text that it cannot read, and overflows the stack on text made to break it.
function parsedOrNull(text: string): AnyFeed | null {
  try {
    return parseFeed(text, { maxItems: MAX_ITEMS });
  } catch {
    return null;
  }
}

function fromAny(parsed: AnyFeed, url: string): Omit<FeedDocument, 'isComplete'> {
  switch (parsed.format) {
    case 'rss':
      return fromRss(parsed.feed, url);
    case 'atom':
      return fromAtom(parsed.feed, url);
    case 'rdf':
      return fromRdf(parsed.feed, url);
    case 'json':
      return fromJsonFeed(parsed.feed, url);
  }
}
