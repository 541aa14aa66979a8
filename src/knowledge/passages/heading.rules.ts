/** A Markdown heading as plain text. */
export interface Heading {
  /** 1 to 6. */
  level: number;
  title: string;
}

/** A longer line is treated as a paragraph that begins with a #. */
const MAX_CHARACTERS = 300;
/** The title of a document is searched for in its beginning only. */
const BEGINNING_CHARACTERS = 100_000;
const DEEPEST = 6;
const BLANKS = ' \t';
// Each part stops at the next bracket, so each character is looked at only once.
const LINK = /\[([^[\]]*)\]\([^)[]*\)/g;

/** Parses a line such as `## Title` or `## Title ##`; returns null when it is not a heading. */
export function headingOf(line: string): Heading | null {
  let level = 0;
  while (level <= DEEPEST && line[level] === '#') level += 1;
  if (level === 0 || level > DEEPEST || !isOneOf(BLANKS, line[level])) return null;
  const written = withoutEnd(withoutEnd(withoutEnd(line.slice(level), BLANKS), '#'), BLANKS).trimStart();
  if (written.length > MAX_CHARACTERS) return null;
  return { level, title: written.replace(LINK, '$1').replace(/[*`]/g, '') };
}

/** Returns the first heading of level 1 or 2 near the beginning; null when there is none. */
export function firstHeading(document: string): string | null {
  const markdown = document.slice(0, BEGINNING_CHARACTERS);
  for (
    let start = markdown.startsWith('#') ? 0 : nextHash(markdown, 0);
    start >= 0;
    start = nextHash(markdown, start)
  ) {
    const heading = headingOf(lineAt(markdown, start));
    if (heading && heading.level <= 2 && heading.title !== '') return heading.title;
  }
  return null;
}

/** Returns where the next line that begins with a # starts; -1 when there is none. */
function nextHash(text: string, from: number): number {
  const end = text.indexOf('\n#', from);
  return end < 0 ? -1 : end + 1;
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.slice(start) : text.slice(start, end);
}

function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (isOneOf(characters, text[end - 1])) end -= 1;
  return text.slice(0, end);
}

const isOneOf = (characters: string, character: string | undefined): boolean =>
  character !== undefined && characters.includes(character);
