const ROOTS: readonly string[] = ['rss', 'feed', 'rdf'];
/** Maximum offset of the root: broken sites print warnings before the document. */
const JUNK_CHARACTERS = 4096;
const ITEM_END = /<\/(?:[\w.-]+:)?(?:item|entry)\s*>/gi;
const FEED_ROOT = /<((?:[\w.-]+:)?(?:rss|feed|rdf))(?=[\s>])/i;
const LAST_TAG = /<\/(?:[\w.-]+:)?(?:item|entry|channel|rss|feed|rdf)$/i;
const NAME = /^<([\w.:-]+)/;
/** Characters that XML 1.0 forbids (section 2.2), also as references. */
// eslint-disable-next-line no-control-regex
export const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

export interface FeedXml {
  /** XML for the parser, without entity definitions, so that none is ever expanded. */
  xml: string;
  /** False when the end of the document is missing, or when it was cut after `maxItems` items. */
  isComplete: boolean;
}

/**
 * Prepares an XML feed for the parser: truncates it after `maxItems` items, or after the last complete one. Returns null when it
 * is not a feed.
 */
export function prepareXml(text: string, maxItems: number): FeedXml | null {
  const document = text.replace(FORBIDDEN_CHARACTERS, '');
  const start = rootStart(document) ?? startAfterJunk(document);
  if (start === null) return null;
  const prefixed = NAME.exec(document.slice(start, start + 100))?.[1];
  if (prefixed === undefined) return null;
  const { root, body } = withoutRssPrefix(prefixed, withLastBracket(document.slice(start).trimEnd()));
  const isClosed = body.slice(-1000).includes(`</${root}`);
  const end = endOfItem(body, maxItems);
  if (isClosed && end === null) return { xml: body, isComplete: true };
  const items = body.slice(0, end ?? lastItemEnd(body));
  const isInChannel = /<channel[\s>]/i.test(items) && !/<\/channel\s*>/i.test(items);
  return { xml: `${items}${isInChannel ? '</channel>' : ''}</${root}>`, isComplete: false };
}

// Truncated in the last tag, before its bracket.
function withLastBracket(body: string): string {
  return LAST_TAG.test(body.slice(-100)) ? `${body}>` : body;
}

/** Removes the namespace prefix of an RSS root from all names that have it: the parser only knows RSS without a prefix. */
function withoutRssPrefix(prefixed: string, body: string): { root: string; body: string } {
  const [prefix = '', name] = prefixed.split(':');
  if (name?.toLowerCase() !== 'rss') return { root: prefixed, body };
  const parts = body.split(/(?=<)/).map((part) => {
    const at = part.startsWith('</') ? 2 : 1;
    return part.startsWith(`${prefix}:`, at) ? part.slice(0, at) + part.slice(at + prefix.length + 1) : part;
  });
  return { root: name, body: parts.join('') };
}

/** Returns where the root element starts; null when it is not the root of a feed. */
function rootStart(text: string): number | null {
  let index = text.indexOf('<');
  while (index >= 0) {
    const next = skipped(text, index);
    if (next === index) return isFeedRoot(text, index) ? index : null;
    if (next < 0) return null;
    index = text.indexOf('<', next);
  }
  return null;
}

/**
 * Returns the end of the declaration, comment or instruction at `index`; `index` itself for an element, -1 when it has
 * no end.
 */
function skipped(text: string, index: number): number {
  if (text.startsWith('<!--', index)) return text.indexOf('-->', index);
  if (text.startsWith('<?', index)) return text.indexOf('?>', index);
  if (text.startsWith('<!', index)) return doctypeEnd(text, index);
  return index;
}

function doctypeEnd(text: string, start: number): number {
  const end = text.indexOf('>', start);
  // Search only up to `end`: a document may have a million declarations and no bracket.
  const brackets = text.slice(start, Math.max(start, end)).indexOf('[');
  if (brackets < 0) return end;
  const closing = /\]\s*>/g;
  closing.lastIndex = start + brackets;
  return closing.exec(text)?.index ?? -1;
}

function isFeedRoot(text: string, index: number): boolean {
  const name = NAME.exec(text.slice(index, index + 100))?.[1]?.toLowerCase() ?? '';
  return ROOTS.includes(name.slice(name.indexOf(':') + 1));
}

function startAfterJunk(text: string): number | null {
  const head = text.slice(0, JUNK_CHARACTERS);
  if (/<html[\s>]|<!doctype html/i.test(head)) return null;
  return FEED_ROOT.exec(head)?.index ?? null;
}

/** Returns the end of the first `count` items; null when no more items follow. */
function endOfItem(xml: string, count: number): number | null {
  const ends = new RegExp(ITEM_END);
  let end: number | null = null;
  for (let found = 0; ends.test(xml); found += 1) {
    if (found === count) return end;
    end = ends.lastIndex;
  }
  return null;
}

function lastItemEnd(xml: string): number {
  const ends = new RegExp(ITEM_END);
  let end: number | null = null;
  while (ends.test(xml)) end = ends.lastIndex;
  if (end !== null) return end;
  const firstItem = xml.search(/<(?:[\w.-]+:)?(?:item|entry)[\s>]/i);
  return firstItem >= 0 ? firstItem : xml.lastIndexOf('>') + 1;
}
