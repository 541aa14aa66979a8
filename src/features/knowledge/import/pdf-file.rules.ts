/** What is looked at to tell how large most of the text is. */
const FIRST_PAGES = 3;
/** Lines of a page that are looked at for a title. */
const MAX_LINES = 200;
const MAX_TITLE = 200;
/** How much larger than most of the text a title is. */
const LARGER = 1.2;

interface Line {
  text: string;
  /** Of its largest letters, in points. */
  size: number;
}

/**
 * Returns the text of a PDF file page by page, each below its number if there are several, and its title: the one that it declares, unless that is only the name of a file
 * or a program, or else what stands in the largest letters on its first page; empty when nothing stands out.
 */
export async function pdfText(bytes: Uint8Array): Promise<{ title: string; content: string }> {
  // The library is large, and most imports need none.
  const { extractText, getDocumentProxy, getMeta } = await import('unpdf');
  const pdf = await getDocumentProxy(bytes);
  const { text: pages } = await extractText(pdf);
  const { info } = await getMeta(pdf);
  const lines: Line[][] = [];
  for (let page = 1; page <= Math.min(FIRST_PAGES, pages.length); page += 1) {
    const { items } = await (await pdf.getPage(page)).getTextContent();
    lines.push(linesOf(items));
  }
  const content = pages.flatMap((page, index) => {
    const text = withoutHyphens(page.trim());
    return text === '' ? [] : [pages.length > 1 ? `## Page ${index + 1}\n\n${text}` : text];
  });
  return { title: declaredTitle(info['Title']) || largestLine(lines), content: content.join('\n\n') };
}

/** Joins words that go over the end of a line. */
const withoutHyphens = (text: string): string => text.replace(/(?<=\p{Ll})[-\u00ad\u2010]\n(?=\p{Ll})/gu, '');

const FILE_NAME = /^(?:\S+:\/\/\S*|.*\.(?:docx?|dvi|html?|indd|odt|pdf|pptx?|rtf|tex|txt|xlsx?))$/i;
const PLACEHOLDER = /^(?:microsoft (?:word|powerpoint|excel)\b.*|untitled.*|document ?\d*|title|slide \d+)$/i;

function declaredTitle(declared: unknown): string {
  const title = typeof declared === 'string' ? declared.slice(0, MAX_TITLE).trim() : '';
  return FILE_NAME.test(title) || PLACEHOLDER.test(title) ? '' : title;
}

function linesOf(items: readonly object[]): Line[] {
  const lines: Line[] = [];
  let isNew = true;
  for (const item of items) {
    if (!('str' in item) || typeof item.str !== 'string') continue;
    const { str, transform, hasEOL } = item as { str: string; transform: number[]; hasEOL: boolean };
    const size = str.trim() === '' ? 0 : Math.hypot(transform[2] ?? 0, transform[3] ?? 0);
    const line = lines.at(-1);
    if (isNew || !line) lines.push({ text: str, size });
    else Object.assign(line, { text: line.text + str, size: Math.max(line.size, size) });
    if (lines.length > MAX_LINES) break;
    isNew = hasEOL;
  }
  return lines.filter(({ text }) => text.trim() !== '');
}

/** Returns the first of the largest lines of the first page, with those of its size that follow it. */
function largestLine([lines = [], ...others]: readonly Line[][]): string {
  const largest = Math.max(0, ...lines.map(({ size }) => size));
  const isLargest = ({ size }: Line) => size > largest - 0.5;
  const start = lines.findIndex(isLargest);
  const length = lines.slice(start).findIndex((line) => !isLargest(line));
  const title = lines.slice(start, length < 0 ? undefined : start + length);
  const text = title.map((line) => line.text.trim()).join(' ');
  return largest > usualSize([lines, ...others].flat()) * LARGER && text.length <= MAX_TITLE ? text : '';
}

/** Returns the size of most of the letters. */
function usualSize(lines: readonly Line[]): number {
  const letters = new Map<number, number>();
  for (const { text, size } of lines) letters.set(size, (letters.get(size) ?? 0) + text.length);
  const [most] = [...letters].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? 0;
}
