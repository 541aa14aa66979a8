import { type Heading, SUMMARY_LEVEL } from './block.js';
import { blocksOf } from './blocks.rules.js';

/** A heading with everything under it, subheadings included. */
interface Section {
  title: string;
  /** The headings above it and its own, such as `Install > From npm`. */
  path: string;
  /** The line of its heading; lines are counted from 0. */
  from: number;
  /** The line after its last one. */
  to: number;
}

export interface SectionSearch {
  document: string;
  /** A heading, such as `From npm`, or a path of headings, such as `Install > From npm`. */
  wanted: string;
}

/** The section, or else the existing sections, the first of many. */
export interface FoundSection {
  section: Section | null;
  others: string[];
}

const SEPARATOR = ' > ';
const MOST_OTHERS = 40;
const MAX_OTHER = 120;

/**
 * Finds the first section whose heading equals the wanted one, ignoring case; or else the first whose heading contains the wanted
 * words, or that a link such as `#from-npm` refers to.
 */
export function findSection({ document, wanted }: SectionSearch): FoundSection {
  const sections = sectionsOf(document);
  const name = normal(wanted.replace(/^#+\s*/, ''));
  const isNamed = ({ path }: Section) => `${SEPARATOR}${normal(path)}`.endsWith(`${SEPARATOR}${name}`);
  const section =
    sections.find(isNamed) ??
    sections.find(({ title }) => anchorOf(normal(title)) === name) ??
    sections.find(({ title }) => name !== '' && normal(title).includes(name)) ??
    null;
  return { section, others: section ? [] : sections.slice(0, MOST_OTHERS).map(({ path }) => shortened(path)) };
}

function sectionsOf(markdown: string): Section[] {
  const { lines, blocks } = blocksOf(markdown);
  const sections: Section[] = [];
  let open: { heading: Heading; section: Section }[] = [];
  const close = (level: number, line: number) => {
    for (const { section } of open.filter((one) => one.heading.level >= level)) section.to = line;
    open = open.filter((one) => one.heading.level < level);
  };
  for (const { kind, heading, from, to } of blocks) {
    if (kind === 'end') close(SUMMARY_LEVEL, to);
    if (!heading) continue;
    close(heading.level, from);
    const titles = [...open.map((one) => one.heading.title), heading.title].filter((title) => title !== '');
    const section = { title: heading.title, path: titles.join(SEPARATOR), from, to: lines.length };
    open.push({ heading, section });
    sections.push(section);
  }
  return sections;
}

const normal = (text: string): string => text.toLowerCase().split(/\s+/).filter(Boolean).join(' ');

// Heading anchors as generated on the web: "What's new?" -> whats-new
const anchorOf = (title: string): string => title.replace(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-');

const shortened = (path: string): string =>
  path.length <= MAX_OTHER ? path : `${path.slice(0, MAX_OTHER)}…`.toWellFormed();
