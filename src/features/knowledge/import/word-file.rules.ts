import { strFromU8, strToU8 } from 'fflate';
import { XMLParser } from 'fast-xml-parser';
import { firstHeading } from '../../../platform/markdown/title.rules.js';
import { packed, unpacked } from './archive.rules.js';
import { htmlToMarkdown } from './html-page.rules.js';
import { withFormulas, withoutFormulas } from './word-formulas.rules.js';
import { STYLES, headingStyles } from './word-styles.rules.js';

const PROPERTIES = 'docProps/core.xml';
const DOCUMENT = 'word/document.xml';
/** Styles of paragraphs that only list other paragraphs. */
const CONTENTS = /^(?:toc \d|toc heading|table of figures)$/i;
/** The font size of a document that does not specify one, in points. */
const DEFAULT_SIZE = 11;
/** Minimum size of a heading, relative to most of the text. */
const LARGER = 1.25;
const MAX_HEADING = 200;
const DEEPEST = 3;

/** The parts of a document element that are used here. */
interface Element {
  type: string;
  children?: Element[];
  value?: string;
  styleId?: string | null;
  styleName?: string | null;
  numbering?: object | null;
  fontSize?: number | null;
}

/** A text of one size, in points. */
interface TextRun {
  text: string;
  size: number;
}

/**
 * Returns the text of a Word file as Markdown, and its title: its first heading, or else the declared one, which may be that of a
 * template; empty when there is none. If no paragraph has a heading style, larger ones become headings.
 */
export async function wordText(bytes: Uint8Array): Promise<{ title: string; content: string }> {
  // The library is large, and most imports need none.
  const { default: mammoth } = await import('mammoth');
  // Unpack only its texts, within the limits of an archive: the library would unpack anything.
  const files = unpacked(bytes, (path) => /\.(?:xml|rels)$/i.test(path));
  const { xml, formulas } = withoutFormulas(strFromU8(files[DOCUMENT] ?? new Uint8Array()));
  const styles = headingStyles(strFromU8(files['word/styles.xml'] ?? new Uint8Array()));
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(packed({ ...files, [DOCUMENT]: strToU8(xml) })) },
    {
      styleMap: STYLES,
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
      transformDocument: (document: Element) => withHeadings(withoutContents(document), styles),
    },
  );
  const content = withFormulas(htmlToMarkdown(value.replace(/<img\b[^<>]*>/g, '')), formulas);
  return { title: firstHeading(content) ?? declaredTitle(files[PROPERTIES]), content };
}

function declaredTitle(properties: Uint8Array | undefined): string {
  if (!properties) return '';
  const xml = new XMLParser({ removeNSPrefix: true, parseTagValue: false });
  const { coreProperties } = xml.parse(strFromU8(properties)) as { coreProperties?: { title?: unknown } };
  const title = coreProperties?.title;
  return typeof title === 'string' ? title.trim() : '';
}

/** Leaves out the table of contents: the headings are in the text. */
function withoutContents(element: Element): Element {
  if (!element.children) return element;
  const kept = element.children.filter(
    ({ type, styleName }) => type !== 'paragraph' || !CONTENTS.test(styleName ?? ''),
  );
  return Object.assign(element, { children: kept.map(withoutContents) });
}

/** Turns paragraphs into headings: those with a heading style, or else those that are larger than the others. */
function withHeadings(document: Element, styles: ReadonlyMap<string, number>): Element {
  const paragraphs = paragraphsIn(document);
  for (const paragraph of paragraphs) {
    const level = styles.get(paragraph.styleId ?? '');
    if (level !== undefined && !isStyledHeading(paragraph)) asHeading(paragraph, level);
  }
  if (paragraphs.some(isStyledHeading)) return document;
  const usual = usualSize(paragraphs.flatMap((paragraph) => textRunsIn(paragraph)));
  const large = paragraphs.filter((paragraph) => isLarge(paragraph, usual * LARGER));
  const sizes = [...new Set(large.map(sizeOf))].sort((one, other) => other - one);
  for (const paragraph of large) {
    const level = Math.min(DEEPEST, sizes.indexOf(sizeOf(paragraph)) + 1);
    asHeading(paragraph, level);
  }
  return document;
}

const asHeading = (paragraph: Element, level: number): Element =>
  Object.assign(paragraph, { styleId: `Heading${level}`, styleName: `heading ${level}` });

const paragraphsIn = (element: Element): Element[] =>
  element.type === 'paragraph' ? [element] : (element.children ?? []).flatMap(paragraphsIn);

const isStyledHeading = ({ styleId, styleName }: Element): boolean =>
  /^(?:heading ?\d?|title)$/i.test(styleName ?? '') || /^heading\d?$/i.test(styleId ?? '');

function isLarge(paragraph: Element, least: number): boolean {
  const runs = textRunsIn(paragraph);
  const length = runs.reduce((sum, { text }) => sum + text.length, 0);
  return !paragraph.numbering && length > 0 && length <= MAX_HEADING && runs.every(({ size }) => size >= least);
}

const sizeOf = (paragraph: Element): number => Math.max(...textRunsIn(paragraph).map(({ size }) => size));

function textRunsIn(element: Element, size = DEFAULT_SIZE): TextRun[] {
  if (element.type === 'text') return (element.value ?? '').trim() === '' ? [] : [{ text: element.value ?? '', size }];
  const own = element.type === 'run' ? (element.fontSize ?? size) : size;
  return (element.children ?? []).flatMap((child) => textRunsIn(child, own));
}

/** Returns the size that most of the letters have. */
function usualSize(runs: readonly TextRun[]): number {
  const lengths = new Map<number, number>();
  for (const { text, size } of runs) lengths.set(size, (lengths.get(size) ?? 0) + text.length);
  const [most] = [...lengths].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? DEFAULT_SIZE;
}
