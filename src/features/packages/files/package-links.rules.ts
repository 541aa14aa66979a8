import { composed } from './package-path.rules.js';
import { type ListedFile, type PackageProblem, SKILL_FILE } from './package.js';

/** More would hide other problems. */
const MOST_PROBLEMS = 20;
const LONGEST_SHOWN = 200;
/** `[text](target)` and `![text](<target>)`. */
const INLINE = /\]\([ \t]*(?:<([^<>]*)>|([^\s()<>]+))/g;
/** `[text]: target`. */
const DEFINITION = /^[ \t]{0,3}\[[^[\]]{1,200}\]:[ \t]*(?:<([^<>]*)>|([^\s<>]+))/;
const FENCE = /^[ \t]*(```|~~~)/;
const CODE = /`[^`]*`/g;
/** A scheme such as `https:`, an anchor on this page, or a path from the root of a site. */
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|[#/?])/i;

/** Warns of links in a SKILL.md to files that its package does not have; code is left out. */
export function linkProblems(text: string, files: readonly Pick<ListedFile, 'path'>[]): PackageProblem[] {
  const paths = files.map(({ path }) => path).sort();
  const reported = new Set<string>();
  const problems: PackageProblem[] = [];
  let fence: string | null = null;
  for (const [index, written] of text.split('\n').entries()) {
    const mark = FENCE.exec(written)?.[1] ?? null;
    if (mark !== null && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    if (fence !== null || mark !== null) continue;
    for (const target of targetsIn(written.replace(CODE, ''))) {
      const message = reported.has(target) ? null : problemOf(target, paths);
      if (message === null) continue;
      reported.add(target);
      problems.push({ severity: 'warning', file: SKILL_FILE, line: index + 1, message });
      if (problems.length === MOST_PROBLEMS) return problems;
    }
  }
  return problems;
}

/** Returns whether a path is that of a file, or of a folder with files. @param paths sorted */
function isThere(path: string, paths: readonly string[]): boolean {
  return [path, `${path}/`].some((wanted) => {
    let [low, high] = [0, paths.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((paths[middle] ?? '') < wanted) low = middle + 1;
      else high = middle;
    }
    const next = paths[low];
    return wanted === path ? next === path : next?.startsWith(wanted);
  });
}

function targetsIn(line: string): string[] {
  const definition = DEFINITION.exec(line);
  const found = definition ? [definition] : [...line.matchAll(INLINE)];
  return found.map(([, quoted, bare]) => quoted ?? bare ?? '');
}

function problemOf(target: string, paths: readonly string[]): string | null {
  const path = pathOf(target);
  if (path === null || isThere(path, paths)) return null;
  const shown = JSON.stringify(target.slice(0, LONGEST_SHOWN));
  return path.split('/', 1)[0] === '..'
    ? `the link ${shown} leads out of the package: clients get only the files in it`
    : `the link ${shown} leads to no file of the package: add the file, or correct the path`;
}

/** Returns the path in the package to which a link points; null when it points elsewhere, or to the package itself. */
function pathOf(target: string): string | null {
  if (target === '' || ELSEWHERE.test(target)) return null;
  const parts: string[] = [];
  for (const part of composed(decoded(target.replace(/[?#].*$/s, ''))).split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..' || parts.length === 0 || parts.at(-1) === '..') parts.push(part);
    else parts.pop();
  }
  return parts.length === 0 ? null : parts.join('/');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
