import { type Block, type Heading, SUMMARY_LEVEL } from '../../../platform/markdown/block.js';
import { type Lined, spanOf } from './cuts.rules.js';

/** A heading with what is below it is kept together when it has at most this many characters, including headings. */
const KEPT_TOGETHER = 800;

/** A part of a document that is cut into passages separately. */
export interface Section {
  /** The titles of the headings above, outermost first. */
  headings: readonly string[];
  /** The last of the headings; null where text continues after details, and before the first heading. */
  heading: Block | null;
  /** Empty when there is nothing below the heading. */
  content: readonly Block[];
}

/** The blocks between two headings. */
interface Part {
  /** The headings above, outermost first. */
  path: readonly HeadingBlock[];
  heading: HeadingBlock | null;
  content: Block[];
}

interface HeadingBlock extends Block {
  heading: Heading;
}

/** Splits a document at its headings. The content below a heading, or the whole document, is one section when it is short. */
export function documentSectionsOf(blocks: readonly Block[], lined: Lined): Section[] {
  return joined(partsOf(blocks), 0, lined);
}

function partsOf(blocks: readonly Block[]): Part[] {
  const parts: Part[] = [];
  let path: readonly HeadingBlock[] = [];
  let open: Part = { path, heading: null, content: [] };
  const end = (nextLevel: number) => {
    // A heading without text is a part too, unless it has subheadings.
    const isAlone =
      open.heading?.kind === 'heading' && open.path.some(hasTitle) && nextLevel <= open.heading.heading.level;
    if (open.content.some(({ kind }) => kind !== 'rule') || isAlone) parts.push(open);
  };
  for (const block of blocks) {
    if (isHeading(block)) {
      const { level } = block.heading;
      end(level);
      path = [...path.filter(({ heading }) => heading.level < level), block];
      // A summary is not a separate line, so it stays part of the content.
      open = { path, heading: block, content: block.kind === 'summary' ? [block] : [] };
    } else {
      open.content.push(block);
      if (block.kind !== 'end') continue;
      end(SUMMARY_LEVEL + 1);
      path = path.filter(({ heading }) => heading.level < SUMMARY_LEVEL);
      open = { path, heading: null, content: [] };
    }
  }
  end(0);
  return parts;
}

const isHeading = (block: Block): block is HeadingBlock => block.heading !== null;
const hasTitle = ({ heading }: HeadingBlock): boolean => heading.title !== '';

/** Joins the parts below the same heading at this depth if they are short together, or else those below each subheading. */
function joined(parts: readonly Part[], depth: number, lined: Lined): Section[] {
  const [first, second] = parts;
  if (!first) return [];
  if (!second) return [{ ...first, headings: titlesOf(first.path) }];
  const groups = groupsOf(parts, depth);
  if (groups.length === 1) return joined(parts, depth + 1, lined);
  const contentOf = (part: Part) => blocksOf(part, part === first ? depth : part.path.length - 1);
  const [from, to] = [contentOf(first)[0]?.from ?? 0, contentOf(parts.at(-1) ?? first).at(-1)?.to ?? 0];
  const { start, end } = spanOf(lined, from, to);
  if (end - start > KEPT_TOGETHER) return groups.flatMap((group) => joined(group, depth + 1, lined));
  const path = first.path.slice(0, depth);
  return [{ headings: titlesOf(path), heading: path.at(-1) ?? null, content: parts.flatMap(contentOf) }];
}

/** Returns the blocks of a part, with its headings from a depth on. */
function blocksOf({ path, heading, content }: Part, depth: number): Block[] {
  // Where text continues after details, its headings are far above; a summary is a part of the content.
  const headings = heading ? path.slice(depth).filter(({ kind }) => kind === 'heading') : [];
  return [...headings, ...content];
}

/** Groups consecutive parts below the same heading. */
function groupsOf(parts: readonly Part[], depth: number): Part[][] {
  const groups: Part[][] = [];
  let above: HeadingBlock | undefined;
  for (const part of parts) {
    const heading = part.path[depth];
    if (heading && heading === above) groups.at(-1)?.push(part);
    else groups.push([part]);
    above = heading;
  }
  return groups;
}

const titlesOf = (path: readonly HeadingBlock[]): string[] => path.filter(hasTitle).map(({ heading }) => heading.title);
