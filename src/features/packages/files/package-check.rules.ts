import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import {
  type CheckedPackage,
  type FoundFile,
  type Frontmatter,
  type ListedFile,
  MOST_BYTES,
  MOST_FILES,
  type PackageProblem,
  SKILL_FILE,
} from './package.js';
import { linkProblems } from './package-links.rules.js';
import { composed, mimeTypeOf, pathKey, pathProblem } from './package-path.rules.js';
import { LONGEST_SKILL_FILE, nameIn, readSkillFile } from './skill-file.rules.js';

/** A file with its digest, computed where the file is read. */
export type DigestedFile = FoundFile & { digest: string };

export type SizedFile = Pick<ListedFile, 'path' | 'size'>;

export interface Check {
  /** Name of the package from SKILL.md, or else of its folder; null = unknown. */
  name: string | null;
  /** null when there are errors. */
  checked: CheckedPackage | null;
  problems: PackageProblem[];
}

/** Returns the digest of bytes in the format of the Skills extension. */
export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** The result of judging a package only by SKILL.md and the list of its files. */
export interface Judgement {
  /** As in `Check`. */
  name: string | null;
  /** null when there are errors. */
  frontmatter: Frontmatter | null;
  nameLine: number;
  problems: PackageProblem[];
}

/**
 * Checks the files of a package.
 * @param folder the name of its folder; null = none
 */
export function checkPackage(folder: string | null, found: readonly DigestedFile[]): Check {
  const files = withComposedPaths(found);
  const skillFile = files.find(({ path }) => path === SKILL_FILE)?.bytes ?? null;
  const listed = files.map(({ path, bytes }) => ({ path, size: bytes.length }));
  const { name, frontmatter, problems } = judgePackage(folder, skillFile, listed);
  return { name, checked: frontmatter && toPackage(frontmatter, files), problems };
}

/**
 * Judges a package by its SKILL.md, and by the paths and sizes of all its files.
 * @param folder the name of its folder; null = none
 * @param skillFile the bytes of SKILL.md; null when it is missing
 */
export function judgePackage(
  folder: string | null,
  skillFile: Uint8Array | null,
  found: readonly SizedFile[],
): Judgement {
  const files = withComposedPaths(found);
  const place = folder ?? 'the package';
  const problems = [...limitProblems(place, files), ...pathProblems(files)];
  const { frontmatter, nameLine, problems: others } = skillFile ? readBytes(skillFile) : noSkillFile(place, files);
  problems.push(...others);
  if (frontmatter && folder !== null && frontmatter.name !== folder) {
    const message = `name is "${frontmatter.name}", but the folder is "${folder}": other clients may want them to be the same`;
    problems.push({ severity: 'warning', file: SKILL_FILE, line: nameLine, message });
  }
  if (skillFile && frontmatter) problems.push(...linkProblems(textOf(skillFile), files));
  const name = frontmatter?.name ?? (skillFile && nameIn(textOf(skillFile))) ?? folder;
  const isRight = problems.every(({ severity }) => severity !== 'error');
  return { name, frontmatter: isRight ? frontmatter : null, nameLine, problems };
}

const withComposedPaths = <File extends SizedFile | DigestedFile>(files: readonly File[]): File[] =>
  files.map((file) => ({ ...file, path: composed(file.path) }));

/** Returns exceeded limits, which are known before the files are read. */
export function limitProblems(place: string, files: readonly Pick<SizedFile, 'size'>[]): PackageProblem[] {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const message =
    files.length > MOST_FILES
      ? `has more than ${MOST_FILES} files: leave out those that assistants never read`
      : bytes > MOST_BYTES
        ? `has more than ${MOST_BYTES / 1024 / 1024} MB: leave out large files, or link to them`
        : null;
  return message === null ? [] : [{ severity: 'error', file: place, line: 1, message }];
}

function pathProblems(files: readonly SizedFile[]): PackageProblem[] {
  const seen = new Map<string, string>();
  const twins = files.map(({ path }) => pathProblem(path) ?? twinProblem(path, seen));
  return files.flatMap(({ path }, index): PackageProblem[] => {
    const message = twins[index] ?? folderProblem(path, seen);
    return message === null ? [] : [{ severity: 'error', file: path.slice(0, 300), line: 1, message }];
  });
}

function twinProblem(path: string, seen: Map<string, string>): string | null {
  const key = pathKey(path);
  const other = seen.get(key);
  seen.set(key, path);
  return other === undefined ? null : `is the same file as ${JSON.stringify(other)} on some systems: rename one`;
}

function folderProblem(path: string, files: ReadonlyMap<string, string>): string | null {
  const parts = pathKey(path).split('/');
  const file = parts.map((_, count) => files.get(parts.slice(0, count).join('/'))).find((one) => one !== undefined);
  return file === undefined ? null : `is in a folder with the path of the file ${JSON.stringify(file)}: rename one`;
}

interface Read {
  frontmatter: Frontmatter | null;
  nameLine: number;
  problems: PackageProblem[];
}

function noSkillFile(place: string, files: readonly SizedFile[]): Read {
  const message = skillFileProblem(files.map(({ path }) => path)) ?? '';
  return { frontmatter: null, nameLine: 1, problems: [{ severity: 'error', file: place, line: 1, message }] };
}

/** Returns why files are not a package; null when they include SKILL.md. */
export function skillFileProblem(paths: readonly string[]): string | null {
  if (paths.includes(SKILL_FILE)) return null;
  const similar = paths.find((path) => /^skill\.(?:md|markdown)$/i.test(path));
  return similar === undefined
    ? `has no ${SKILL_FILE}: add one, with the fields name and description`
    : `has ${similar}, which must be named ${SKILL_FILE}: rename it`;
}

function readBytes(bytes: Uint8Array): Read {
  const refused = (line: number, message: string): Read => ({
    frontmatter: null,
    nameLine: 1,
    problems: [{ severity: 'error', file: SKILL_FILE, line, message }],
  });
  if (bytes.length > LONGEST_SKILL_FILE) {
    const message = `is longer than ${LONGEST_SKILL_FILE / 1024} KB: move parts of it to files under references/`;
    return refused(1, message);
  }
  if (!isUtf8(bytes)) return refused(lineOfBadBytes(bytes), 'has bytes that are not UTF-8: save the file as UTF-8');
  const { frontmatter, nameLine, problems } = readSkillFile(textOf(bytes));
  return { frontmatter, nameLine, problems: problems.map((problem) => ({ ...problem, file: SKILL_FILE })) };
}

export const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

/** Returns whether bytes are a text that can be decoded and encoded without change. */
export const isTextual = (bytes: Uint8Array): boolean => isUtf8(bytes) && !bytes.includes(0);

/** Works because no UTF-8 character spans lines. */
function lineOfBadBytes(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(10, start);
    if (!isUtf8(bytes.subarray(start, end < 0 ? bytes.length : end)) || end < 0) return line;
    start = end + 1;
  }
  return line;
}

function toPackage(frontmatter: Frontmatter, found: readonly DigestedFile[]): CheckedPackage {
  const files = found
    .map((file) => ({
      ...file,
      size: file.bytes.length,
      mimeType: mimeTypeOf(file.path, isTextual(file.bytes)),
    }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  const lines = files.map(({ path, digest }) => `${digest} ${path}\n`).join('');
  return { name: frontmatter.name, frontmatter, digest: digestOf(Buffer.from(lines)), files };
}
