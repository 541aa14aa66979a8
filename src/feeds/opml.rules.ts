import { generateOpml, type Opml, parseOpml } from 'feedsmith';
import { toHttpUrl } from './formats/format.rules.js';
import { InvalidOpml } from './feeds.errors.js';
import { type Feed, titleOf } from './feed.js';

const MAX_FEEDS = 5000;

type Outline = Opml.Outline<string>;

export interface OpmlEntry {
  url: string;
  title: string | null;
  siteUrl: string | null;
  /** From the outermost to the innermost. */
  folders: string[];
}

/** The feeds of an OPML document. @throws InvalidOpml */
export function readOpml(text: string): OpmlEntry[] {
  const root = text.search(/<opml[\s>]/i);
  if (root < 0) throw new InvalidOpml('it is not an OPML document: <opml> is missing');
  // What comes before the root is left out, entity definitions above all.
  const entries = entriesOf(outlinesOf(text.slice(root)), []);
  if (entries.length > MAX_FEEDS) throw new InvalidOpml(`it has ${entries.length} feeds, and ${MAX_FEEDS} are taken`);
  return entries;
}

function outlinesOf(opml: string): Outline[] {
  try {
    return parseOpml(opml).body?.outlines ?? [];
  } catch {
    throw new InvalidOpml('it is not a well-formed OPML document');
  }
}

function entriesOf(outlines: Outline[], folders: string[]): OpmlEntry[] {
  return outlines.flatMap(({ text, title, xmlUrl, url, type, htmlUrl, outlines: inner = [] }) => {
    const feedUrl = xmlUrl ?? (type === 'rss' ? url : undefined);
    const name = text ?? title;
    if (feedUrl === undefined) return entriesOf(inner, name ? [...folders, name] : folders);
    const entry = { url: feedUrl, title: title ?? text ?? null, siteUrl: toHttpUrl(htmlUrl, null), folders };
    return [entry, ...entriesOf(inner, folders)];
  });
}

/** An OPML document of the feeds, in their folders. */
export function writeOpml(feeds: readonly Feed[], now: Date): string {
  const root: Outline = { text: '', outlines: [] };
  for (const feed of feeds) outlinesIn(root, feed.folders).push(toOutline(feed));
  const head = { title: 'Feeds of Agent Service', dateCreated: now };
  // The format asks for an outline.
  const outlines = feeds.length > 0 ? (root.outlines ?? []) : [{ text: 'No feeds' }];
  return generateOpml({ head, body: { outlines } });
}

function outlinesIn(root: Outline, folders: readonly string[]): Outline[] {
  let folder = root;
  for (const text of folders) {
    const outlines = (folder.outlines ??= []);
    let next = outlines.find((outline) => outline.text === text && outline.xmlUrl === undefined);
    if (!next) outlines.push((next = { text, outlines: [] }));
    folder = next;
  }
  return (folder.outlines ??= []);
}

function toOutline(feed: Feed): Outline {
  const title = titleOf(feed);
  return { type: 'rss', text: title, title, xmlUrl: feed.url, ...(feed.siteUrl && { htmlUrl: feed.siteUrl }) };
}
