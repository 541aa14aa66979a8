/** The parts of a text that are needed to find its blocks. */
interface Lines {
  /** In characters. */
  length: number;
  iterLines: () => Iterable<string>;
}

// The parser reads a block of Markdown as a whole, again after each keystroke in it.
const MAX_BLOCK = 50_000;
// Finding emphasis and links takes time quadratic in the length of a line.
const MAX_LINE = 5_000;

/** Blocks that continue over empty lines, until their end line. */
const RAW_BLOCKS: readonly { begin: RegExp; end: RegExp }[] = [
  { begin: /^ {0,3}```/, end: /^ {0,3}```/ },
  { begin: /^ {0,3}~~~/, end: /^ {0,3}~~~/ },
  { begin: /^ {0,3}<!--(?!.*-->)/, end: /-->/ },
  { begin: /^ {0,3}<(?:pre|script|style|textarea)\b(?!.*<\/)/i, end: /<\/(?:pre|script|style|textarea)>/i },
];

/**
 * Returns whether a block of a Markdown text is so long that typing in it would have to wait for the parser: over 50,000
 * characters, or with a line over 5,000. A block ends at an empty line, unless it is raw or the next line is indented.
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
