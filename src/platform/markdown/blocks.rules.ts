import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { type Block, type BlockKind, SUMMARY_LEVEL } from './block.js';
import { inlineText } from './inline-text.rules.js';

/** Deeper nesting is text of the enclosing block. */
const DEEPEST = 20;
/** A longer heading is a paragraph. */
const MAX_HEADING = 300;
/** In source form, with its links and pictures. */
const MAX_WRITTEN_HEADING = 2_000;
/** Beyond this number, headings are paragraphs. */
const MOST_HEADINGS = 5_000;
/** Only this much of an HTML block is inspected. */
const MAX_HTML = 2_000;
const MOST_HTML_LINES = 50;
/** Longer front matter is text. */
const MAX_FRONT_MATTER = 16_000;

const parser = new MarkdownIt({ html: true, maxNesting: DEEPEST });
// Inline parsing produces no blocks, and would cost more than all the rest.
parser.core.ruler.enableOnly(['block']);

const KINDS: Record<string, BlockKind> = {
  heading_open: 'heading',
  paragraph_open: 'paragraph',
  bullet_list_open: 'list',
  ordered_list_open: 'list',
  list_item_open: 'item',
  blockquote_open: 'quote',
  fence: 'code',
  code_block: 'code',
  table_open: 'table',
  html_block: 'html',
  hr: 'rule',
};

/** A parsed document, with its lines. */
export interface MarkdownBlocks {
  lines: readonly string[];
  /** All non-blank lines, in order, none of them twice. */
  blocks: Block[];
}

/** Parses the blocks of a Markdown document (CommonMark, with tables). Front matter is a code block. */
export function blocksOf(markdown: string): MarkdownBlocks {
  const lines = markdown.split('\n');
  const skipped = frontMatterLines(markdown);
  const env: Env = {};
  const tokens = parser.parse(skipped === 0 ? markdown : lines.slice(skipped).join('\n'), env);
  const document: Source = { lines, tokens, env, offset: skipped, headings: 0 };
  const blocks = blocksWithin(document, { first: 0, last: tokens.length, from: skipped, to: lines.length });
  if (skipped > 0) blocks.unshift({ kind: 'code', from: 0, to: skipped, heading: null, parts: none });
  return { lines, blocks };
}

/** Parses plain text: its blocks are the paragraphs between blank lines. */
export function paragraphsOf(text: string): MarkdownBlocks {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  addText(blocks, lines, 0, lines.length);
  return { lines, blocks };
}

interface Source {
  lines: readonly string[];
  tokens: readonly Token[];
  env: Env;
  /** Number of lines before the first one that the tokens count. */
  offset: number;
  headings: number;
}

/** Tokens from `first` to before `last`, on the lines from `from` to before `to`. */
interface Extent {
  first: number;
  last: number;
  from: number;
  to: number;
}

const none = (): Block[] => [];

function blocksWithin(source: Source, { first, last, from, to }: Extent): Block[] {
  const blocks: Block[] = [];
  let line = from;
  for (let index = first; index < last;) {
    const token = source.tokens[index];
    const end = token?.nesting === 1 ? closing(source.tokens, index) : index;
    if (token?.map) {
      const [start, stop] = [Math.max(line, token.map[0] + source.offset), Math.min(to, token.map[1] + source.offset)];
      addText(blocks, source.lines, line, start);
      if (stop > start) blocks.push(blockOf(source, { first: index, last: end, from: start, to: stop }));
      line = Math.max(line, stop);
    }
    index = end + 1;
  }
  addText(blocks, source.lines, line, to);
  return blocks;
}

function blockOf(source: Source, extent: Extent): Block {
  const { first, last, from } = extent;
  const open = source.tokens[first];
  const kind = KINDS[open?.type ?? ''] ?? 'text';
  const to = lastLine(source.lines, from, extent.to);
  const isContainer = kind === 'list' || kind === 'item' || kind === 'quote';
  if (kind === 'html' && open?.level === 0) return { ...htmlBlock(source, from, to), from, to, parts: none };
  const heading = kind === 'heading' ? headingOf(source, first) : null;
  return {
    kind: kind === 'heading' && !heading ? 'paragraph' : kind,
    from,
    to,
    heading,
    parts: isContainer ? () => blocksWithin(source, { first: first + 1, last, from, to }) : none,
  };
}

function headingOf(source: Source, index: number): Block['heading'] {
  const [open, inline] = [source.tokens[index], source.tokens[index + 1]];
  const written = inline?.content ?? '';
  if (!open || open.level > 0) return null;
  if (written.length > MAX_WRITTEN_HEADING || source.headings >= MOST_HEADINGS) return null;
  const title = inlineText(written, source.env);
  if (title.length > MAX_HEADING) return null;
  source.headings += 1;
  return { level: Number(open.tag.slice(1)), title };
}

/** Detects the start and the end of details in an HTML block. */
function htmlBlock(source: Source, from: number, to: number): Pick<Block, 'kind' | 'heading'> {
  const html = source.lines
    .slice(from, Math.min(to, from + MOST_HTML_LINES))
    .join('\n')
    .slice(0, MAX_HTML);
  const start = /<summary(?:\s[^<>]*)?>/i.exec(html);
  const written = start ? html.slice(start.index + start[0].length) : '';
  const end = written.search(/<\/summary/i);
  if (end >= 0 && source.headings < MOST_HEADINGS) {
    source.headings += 1;
    const title = inlineText(written.slice(0, end).slice(0, MAX_HEADING).toWellFormed(), source.env);
    return { kind: 'summary', heading: { level: SUMMARY_LEVEL, title } };
  }
  return { kind: /<\/details/i.test(html) ? 'end' : 'html', heading: null };
}

function closing(tokens: readonly Token[], index: number): number {
  const level = tokens[index]?.level ?? 0;
  let end = index + 1;
  while (end < tokens.length && !(tokens[end]?.level === level && tokens[end]?.nesting === -1)) end += 1;
  return end;
}

/** Adds the lines without a token, each run of non-blank lines as one block. */
function addText(blocks: Block[], lines: readonly string[], from: number, to: number): void {
  for (let line = from; line < to; line += 1) {
    if (isBlank(lines[line])) continue;
    const start = line;
    while (line < to && !isBlank(lines[line])) line += 1;
    blocks.push({ kind: 'text', from: start, to: line, heading: null, parts: none });
  }
}

/** Returns the end of a block without trailing blank lines. */
function lastLine(lines: readonly string[], from: number, to: number): number {
  let end = to;
  while (end > from + 1 && isBlank(lines[end - 1])) end -= 1;
  return end;
}

const isBlank = (line: string | undefined): boolean => line === undefined || !/\S/.test(line);

/** Returns the number of front matter lines; 0 = none. */
function frontMatterLines(markdown: string): number {
  const found = /^---[ \t]*\n(?=#|[\w-]+[ \t]*:)[\s\S]*?\n---[ \t]*(?:\n|$)/.exec(markdown.slice(0, MAX_FRONT_MATTER));
  return found ? found[0].trimEnd().split('\n').length : 0;
}
