import { generateOpml, type Opml, parseOpml } from 'feedsmith';
import { type Feed, titleOf } from '../store/feed.js';
import { toHttpUrl } from '../reading/formats/format.rules.js';
import { FORBIDDEN_CHARACTERS } from '../reading/xml.rules.js';

const MAX_FEEDS = 5000;
const MAX_FOLDERS = 20;
/** Maximum length of the name of a folder or a feed. */
const MAX_NAME = 300;

type Outline = Opml.Outline<string>;

export interface OpmlEntry {
  url: string;
  title: string | null;
  siteUrl: string | null;
  /** Path of its folder, outermost first. */
  folders: string[];
}

export type OpmlReading = { kind: 'opml'; entries: OpmlEntry[] } | { kind: 'invalid'; reason: string };

export function readOpml(text: string): OpmlReading {
  const root = text.search(/<opml[\s>]/i);
  if (root < 0) return invalid('it is not an OPML document: <opml> is missing');
  // Skip everything before the root, above all entity definitions.
  const outlines = outlinesOf(text.slice(root));
  if (!outlines) return invalid('it is not a well-formed OPML document');
  const entries: OpmlEntry[] = [];
  for (const entry of entriesOf(outlines, [])) {
    entries.push(entry);
    if (entries.length > MAX_FEEDS) return invalid(`it has more than ${MAX_FEEDS} feeds: split it`);
  }
  return { kind: 'opml', entries };
}

const invalid = (reason: string): OpmlReading => ({ kind: 'invalid', reason });

/** Returns the outermost outlines; null when the document is not well-formed. */
function outlinesOf(opml: string): Outline[] | null {
  try {
    return parseOpml(opml).body?.outlines ?? [];
  } catch {
    return null;
  }
}

/** Yields the feeds of all outlines. A feed nested in more than 20 folders goes into the twentieth. */
function* entriesOf(outlines: readonly Outline[], folders: string[]): Generator<OpmlEntry> {
  const open = [{ outlines, folders, next: 0 }];
  for (let level = open.at(-1); level; level = open.at(-1)) {
    const outline = level.outlines[level.next];
    level.next += 1;
    if (!outline) {
      open.pop();
      continue;
    }
    const { text, title, xmlUrl, url, type, htmlUrl, outlines: inner = [] } = outline;
    const feedUrl = xmlUrl ?? (type === 'rss' ? url : undefined);
    const name = (text ?? title)?.slice(0, MAX_NAME).toWellFormed();
    const isFolder = feedUrl === undefined && name && level.folders.length < MAX_FOLDERS;
    open.push({ outlines: inner, folders: isFolder ? [...level.folders, name] : level.folders, next: 0 });
    if (feedUrl === undefined) continue;
    const shown = (title ?? text ?? null)?.slice(0, MAX_NAME).toWellFormed() ?? null;
    yield { url: feedUrl, title: shown, siteUrl: toHttpUrl(htmlUrl, null), folders: level.folders };
  }
}

export function writeOpml(feeds: readonly Feed[], now: Date): string {
  const root: Outline[] = [];
  const folders = new Map<string, Outline[]>([['[]', root]]);
  for (const feed of feeds) outlinesIn(folders, feed.folders).push(toOutline(feed));
  const head = { title: 'Feeds of Agent Service', dateCreated: now };
  // The format requires at least one outline.
  const outlines = root.length > 0 ? root : [{ text: 'No feeds' }];
  return generateOpml({ head, body: { outlines } }).replace(FORBIDDEN_CHARACTERS, '');
}

/**
 * Returns the outlines of a folder, and creates the folder when it does not exist yet.
 * @param known the outlines of each folder, by its path as JSON; has at least the root
 */
function outlinesIn(known: Map<string, Outline[]>, folders: readonly string[]): Outline[] {
  const path = JSON.stringify(folders);
  const found = known.get(path);
  if (found) return found;
  const outlines: Outline[] = [];
  known.set(path, outlines);
  outlinesIn(known, folders.slice(0, -1)).push({ text: folders.at(-1) ?? '', outlines });
  return outlines;
}

function toOutline(feed: Feed): Outline {
  const title = titleOf(feed);
  return { type: 'rss', text: title, title, xmlUrl: feed.url, ...(feed.siteUrl && { htmlUrl: feed.siteUrl }) };
}
