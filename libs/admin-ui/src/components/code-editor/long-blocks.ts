/** Of a text, as far as its blocks are told apart. */
interface Lines {
  /** In characters. */
  length: number;
  iterLines: () => Iterable<string>;
}

// A parser reads a block of Markdown as a whole, and anew with each key that changes it.
const MAX_BLOCK = 50_000;
// Emphasis and links are looked for within a line: in time that grows with the square of its length.
const MAX_LINE = 5_000;

/** What continues over empty lines, until the line that ends it. */
const RAW_BLOCKS: readonly { begin: RegExp; end: RegExp }[] = [
  { begin: /^ {0,3}```/, end: /^ {0,3}```/ },
  { begin: /^ {0,3}~~~/, end: /^ {0,3}~~~/ },
  { begin: /^ {0,3}<!--(?!.*-->)/, end: /-->/ },
  { begin: /^ {0,3}<(?:pre|script|style|textarea)\b(?!.*<\/)/i, end: /<\/(?:pre|script|style|textarea)>/i },
];

/**
 * Returns whether some block of a Markdown text is so long, beyond 50,000 characters or with a line beyond 5,000, that
 * whoever types in it would wait for the parser. A block ends at an empty line, unless what follows it is indented or raw.
 */
export function hasLongBlock(text: Lines): boolean {
  if (text.length <= MAX_LINE) return false;
  let length = 0;
  let isAfterEmpty = false;
  let end: RegExp | null = null;
  for (const line of text.iterLines()) {
    if (line.length > MAX_LINE) return true;
    const isEmpty = line.length === 0 || line.trim() === '';
    if (isAfterEmpty && !isEmpty && end === null && !/^(?: {4}|\t)/.test(line)) length = 0;
    length += line.length + 1;
    if (length > MAX_BLOCK) return true;
    if (end === null) end = RAW_BLOCKS.find(({ begin }) => begin.test(line))?.end ?? null;
    else if (end.test(line)) end = null;
    isAfterEmpty = isEmpty;
  }
  return false;
}
