import { XMLParser } from 'fast-xml-parser';
import { unpacked } from './archive.rules.js';
import { fileText } from './file-text.rules.js';
import { htmlToMarkdown } from './html-page.rules.js';

/** Files of a book that contain text, or list such files. */
const READ = /\.(?:x?html?|xml|opf)$/i;
const CONTAINER = 'META-INF/container.xml';
/** Elements that may be repeated. */
const LISTS = new Set(['rootfile', 'title', 'item', 'itemref']);

interface PackageDocument {
  package?: {
    metadata?: { title?: unknown[] };
    manifest?: { item?: { '@id'?: string; '@href'?: string }[] };
    spine?: { itemref?: { '@idref'?: string }[] };
  };
}

const xml = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  isArray: (name) => LISTS.has(name),
});

/** Returns the title of an EPUB book, and its chapters in reading order, as one Markdown text. */
export function bookText(bytes: Uint8Array): { title: string; content: string } {
  const files = unpacked(bytes, (path) => READ.test(path));
  const textOf = (path: string): string => {
    const read = fileText(files[path] ?? new Uint8Array());
    if ('problem' in read) throw new Error(`${path} of the book cannot be read: ${read.problem}`);
    return read.text;
  };
  const place = packagePathOf(textOf(CONTAINER));
  const { metadata, manifest, spine } = (xml.parse(textOf(place)) as PackageDocument).package ?? {};
  const paths = new Map(manifest?.item?.map((item) => [item['@id'], resolved(place, item['@href'] ?? '')]));
  const chapters = (spine?.itemref ?? []).flatMap((item) => paths.get(item['@idref']) ?? []);
  const texts = chapters.filter((path) => path in files).map((path) => htmlToMarkdown(textOf(path)));
  return { title: titleOf(metadata?.title), content: texts.filter((text) => text !== '').join('\n\n') };
}

function packagePathOf(container: string): string {
  const { container: { rootfiles } = {} } = xml.parse(container) as {
    container?: { rootfiles?: { rootfile?: { '@full-path'?: string }[] } };
  };
  return rootfiles?.rootfile?.[0]?.['@full-path'] ?? '';
}

// An element with attributes is an object.
function titleOf(titles: readonly unknown[] = []): string {
  const [first] = titles;
  const text: unknown = typeof first === 'object' && first !== null && '#text' in first ? first['#text'] : first;
  return typeof text === 'string' ? text.trim() : '';
}

/** Resolves a reference in a file of the archive to a path in the archive. */
function resolved(from: string, href: string): string {
  const path = new URL(href.replace(/#.*/, ''), new URL(encodeURI(from), 'file:///')).pathname.slice(1);
  return decodeURIComponent(path);
}
