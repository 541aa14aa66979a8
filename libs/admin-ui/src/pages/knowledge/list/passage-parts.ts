interface PassagePart {
  text: string;
  isFound: boolean;
}

interface TextRange {
  start: number;
  end: number;
}

/** Approximate number of characters of a passage that are shown. */
const SHOWN = 480;
/** Maximum number of them before the first found word. */
const LEAD = 120;

/** Splits a passage into plain parts and found words; for a long one, only the part around the first found word. */
export function passageParts(content: string, matches: readonly TextRange[]): PassagePart[] {
  const from = startOf(content, matches[0]?.start ?? 0);
  const to = endOf(content, from);
  const parts: PassagePart[] = [];
  let at = from;
  for (const { start, end } of matches.filter((match) => match.start >= from && match.end <= to)) {
    parts.push({ text: content.slice(at, start), isFound: false }, { text: content.slice(start, end), isFound: true });
    at = end;
  }
  parts.push({ text: content.slice(at, to), isFound: false });
  if (from > 0) parts.unshift({ text: '…\n', isFound: false });
  if (to < content.length) parts.push({ text: '\n…', isFound: false });
  return parts.filter(({ text }) => text !== '');
}

/** Returns the start of a line before the first found word, or else of a word. */
function startOf(content: string, found: number): number {
  if (content.length <= SHOWN || found <= LEAD) return 0;
  const line = content.indexOf('\n', found - LEAD);
  if (line >= 0 && line < found) return line + 1;
  const space = content.indexOf(' ', found - LEAD);
  return space >= 0 && space < found ? space + 1 : found;
}

function endOf(content: string, from: number): number {
  if (content.length - from <= SHOWN) return content.length;
  const space = Math.max(content.lastIndexOf(' ', from + SHOWN), content.lastIndexOf('\n', from + SHOWN));
  return space > from + SHOWN / 2 ? space : from + SHOWN;
}
