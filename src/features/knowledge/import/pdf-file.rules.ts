import { type Typography, pageMarkdown } from './pdf-blocks.rules.js';
import { headingsIn } from './pdf-headings.rules.js';
import { type PdfLine, linesOf, weighed } from './pdf-lines.rules.js';
import { PdfFonts } from './pdf-fonts.rules.js';
import { type PdfPage, withoutRunningLines } from './pdf-running.rules.js';

/** Pages that are inspected for the size of most of the text. */
const FIRST_PAGES = 3;
const MAX_TITLE = 200;
/** Minimum size of a title, relative to most of the text. */
const LARGER = 1.2;

/**
 * Returns the text of a PDF file as Markdown, page by page, with page numbers if there are several, and its title: the declared
 * one, unless that is only the name of a file or a program, or else the text in the largest letters on its first page; empty when
 * none stands out.
 */
export async function pdfText(bytes: Uint8Array): Promise<{ title: string; content: string }> {
  // The library is large, and most imports need none.
  const { getDocumentProxy, getMeta } = await import('unpdf');
  const pdf = await getDocumentProxy(bytes, { maxImageSize: 1 });
  const { info } = await getMeta(pdf);
  const pages: PdfPage[] = [];
  const fonts = new PdfFonts();
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const { items, styles } = await page.getTextContent();
    await fonts.learn(page, styles);
    const [, low = 0, , high = 0] = page.view;
    pages.push({ lines: linesOf(items, fonts.bold), height: high - low });
    page.cleanup();
  }
  const title = declaredTitle(info['Title']) || largestLine(pages.slice(0, FIRST_PAGES).map(({ lines }) => lines));
  return { title, content: contentOf(pages, fonts.monospaced) };
}

function contentOf(pages: readonly PdfPage[], monospaced: ReadonlySet<string>): string {
  const { usual } = headingsIn(pages.map(({ lines }) => lines));
  const kept = withoutRunningLines(pages, usual);
  const typography: Typography = { ...headingsIn(kept), monospaced, top: pages.length > 1 ? 3 : 1 };
  const texts = kept.map((lines) => pageMarkdown(lines, typography));
  const compounds = new Set(texts.flatMap((text) => text.match(COMPOUND) ?? []).map((word) => word.toLowerCase()));
  return texts
    .flatMap((text, index) => {
      const joined = withoutHyphens(text, compounds);
      return joined === '' ? [] : [pages.length > 1 ? `## Page ${index + 1}\n\n${joined}` : joined];
    })
    .join('\n\n');
}

const COMPOUND = /\p{L}{2,40}-\p{Ll}{2,40}/gu;

/** Joins words that are hyphenated at the end of a line. Words that have a hyphen elsewhere keep it. */
const withoutHyphens = (text: string, compounds: ReadonlySet<string>): string =>
  text.replace(/(\p{L}{0,40}\p{Ll})[-\u00ad\u2010]\n {0,40}(?=(\p{Ll}{1,40}))/gu, (_, start: string, end: string) =>
    compounds.has(`${start}-${end}`.toLowerCase()) ? `${start}-` : start,
  );

const FILE_NAME = /^(?:\S+:\/\/\S*|.*\.(?:docx?|dvi|html?|indd|odt|pdf|pptx?|rtf|tex|txt|xlsx?))$/i;
const PLACEHOLDER = /^(?:microsoft (?:word|powerpoint|excel)\b.*|untitled.*|document ?\d*|title|slide \d+)$/i;

function declaredTitle(declared: unknown): string {
  const title = typeof declared === 'string' ? declared.slice(0, MAX_TITLE).trim() : '';
  return FILE_NAME.test(title) || PLACEHOLDER.test(title) ? '' : title;
}

/** Returns the first of the largest lines of the first page, with the following ones of the same size. */
function largestLine([lines = [], ...others]: readonly (readonly PdfLine[])[]): string {
  const largest = Math.max(0, ...lines.map(({ size }) => size));
  const isLargest = ({ size }: PdfLine) => size > largest - 0.5;
  const start = lines.findIndex(isLargest);
  const length = lines.slice(start).findIndex((line) => !isLargest(line));
  const title = lines.slice(start, length < 0 ? undefined : start + length);
  const text = title.map((line) => line.text.trim()).join(' ');
  return largest > weighed([lines, ...others].flat(), ({ size }) => size) * LARGER && text.length <= MAX_TITLE
    ? text
    : '';
}
