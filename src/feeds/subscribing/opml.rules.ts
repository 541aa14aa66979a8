import { generateOpml, type Opml, parseOpml } from 'feedsmith';
import { toHttpUrl } from '../reading/formats/format.rules.js';
import { type Feed, titleOf } from '../feed.js';

const MAX_FEEDS = 5000;
const MAX_FOLDERS = 20;
/** Of a folder or a feed. */
const MAX_NAME = 300;

type Outline = Opml.Outline<string>;

export interface OpmlEntry {
  url: string;
  title: string | null;
  siteUrl: string | null;
  /** From the outermost to the innermost. */
  folders: string[];
}

export type OpmlReading = { kind: 'opml'; entries: OpmlEntry[] } | { kind: 'invalid'; reason: string };

/** The feeds of an OPML document. */
export function readOpml(text: string): OpmlReading {
  const root = text.search(/<opml[\s>]/i);
  if (root < 0) return invalid('it is not an OPML document: <opml> is missing');
  // What comes before the root is left out, entity definitions above all.
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

/** Null when it is not well-formed. */
function outlinesOf(opml: string): Outline[] | null {
  try {
    return parseOpml(opml).body?.outlines ?? [];
  } catch {
    return null;
  }
}

/** What lies in more folders than anybody has is in the last of those that are taken. */
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

/** An OPML document of the feeds, in their folders. */
export function writeOpml(feeds: readonly Feed[], now: Date): string {
  const root: Outline[] = [];
  const folders = new Map<string, Outline[]>([['[]', root]]);
  for (const feed of feeds) outlinesIn(folders, feed.folders).push(toOutline(feed));
  const head = { title: 'Feeds of Agent Service', dateCreated: now };
  // The format asks for an outline.
  return generateOpml({ head, body: { outlines: root.length > 0 ? root : [{ text: 'No feeds' }] } });
}

/** @param known what lies in each folder, by its path as JSON; the root is there */
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
