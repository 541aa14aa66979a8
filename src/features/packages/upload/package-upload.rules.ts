import { isUtf8 } from 'node:buffer';
import { unzipped } from '../../../platform/archives/unzipped.rules.js';
import { type Check, checkPackage, digestOf, skillFileProblem } from '../files/package-check.rules.js';
import { isHidden, pathProblem } from '../files/package-path.rules.js';
import { MOST_BYTES, MOST_FILES, type PackageProblem, SKILL_FILE } from '../files/package.js';

/** A file to save as a package. */
export interface PackageUpload {
  /** Its name, such as `release.zip`. */
  file: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Maximum number of entries read from an archive, including folders and hidden files. */
const MOST_ENTRIES = 4_000;

/** Checks an upload: a ZIP archive of a package (.zip, .skill), or a SKILL.md. */
export function checkUpload({ file, bytes }: PackageUpload): Check {
  if (!isArchive(bytes)) {
    if (/\.(?:md|markdown)$/i.test(file)) return checkPackage(null, [fileOf(SKILL_FILE, bytes)]);
    return refused(file, 'is neither a ZIP archive (.zip, .skill) nor a SKILL.md: upload one of the two');
  }
  const listed = listArchive(file, bytes);
  if ('checked' in listed) return listed;
  const { prefix, paths } = listed;
  let unpacked: Record<string, Uint8Array>;
  try {
    unpacked = unzipped(bytes, ({ name }) => paths.has(name));
  } catch (error) {
    return refused(file, `cannot be unpacked: ${messageOf(error)}`);
  }
  const files = [...paths].map(([name, path]) => {
    const content = Object.hasOwn(unpacked, name) ? unpacked[name] : undefined;
    return fileOf(path.slice(prefix.length), content ?? new Uint8Array());
  });
  return checkPackage(null, files);
}

interface Listed {
  /** The folder of the package, with a trailing `/`; empty = none. */
  prefix: string;
  /** The paths by the names of the entries. */
  paths: Map<string, string>;
}

/** Reads the declared contents of an archive, without unpacking anything. */
function listArchive(file: string, bytes: Uint8Array): Listed | Check {
  const paths = new Map<string, string>();
  let problem: Check | null = null;
  let entries = 0;
  let total = 0;
  try {
    unzipped(bytes, ({ name, originalSize }) => {
      entries += 1;
      if (entries > MOST_ENTRIES) throw new Error(`it has more than ${MOST_ENTRIES} entries`);
      const path = pathOf(name);
      if (path === '' || path.endsWith('/') || isHidden(path)) return false;
      const wrong = paths.has(name) ? 'is in the archive twice' : pathProblem(path);
      if (wrong !== null) problem ??= refused(path, wrong);
      paths.set(name, path);
      total += originalSize;
      return false;
    });
  } catch (error) {
    return refused(file, `cannot be unpacked: ${messageOf(error)}`);
  }
  if (paths.size > MOST_FILES)
    return refused(file, `has more than ${MOST_FILES} files: leave out those that assistants never read`);
  if (total > MOST_BYTES)
    return refused(file, `unpacks to more than ${MOST_BYTES / 1024 / 1024} MB: leave out large files`);
  return problem ?? rooted(file, paths);
}

/** Returns the path that an entry means: some programs write backslashes (Windows PowerShell), or begin with `./` (tar). */
const pathOf = (name: string): string =>
  decoded(name)
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '');

/** Decodes the name of an entry as UTF-8, as the Finder writes it without the flag that says so; the library reads Latin-1. */
function decoded(name: string): string {
  const bytes = Buffer.from(name, 'latin1');
  return bytes.toString('latin1') === name && isUtf8(bytes) ? bytes.toString() : name;
}

/** Finds the folder of the package in an archive: at the top level, or in a single folder. */
function rooted(file: string, paths: Map<string, string>): Listed | Check {
  const all = [...paths.values()];
  if (all.includes(SKILL_FILE)) return { prefix: '', paths };
  const tops = new Set(all.map((path) => path.slice(0, path.indexOf('/') + 1)));
  const [prefix = ''] = tops;
  const within = tops.size === 1 && prefix !== '' ? all.map((path) => path.slice(prefix.length)) : all;
  const message = skillFileProblem(within);
  if (message !== null) return refused(file, `${message}. It must be at the top of the archive, or in its one folder`);
  return { prefix, paths };
}

const isArchive = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6));

const fileOf = (path: string, bytes: Uint8Array) => ({ path, bytes, digest: digestOf(bytes) });

const messageOf = (error: unknown): string => String((Object(error) as Error).message).slice(0, 200);

function refused(file: string, message: string): Check {
  const problem: PackageProblem = { severity: 'error', file: file.slice(0, 300), line: 1, message };
  return { name: null, checked: null, problems: [problem] };
}
