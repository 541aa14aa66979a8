import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { digestOf, type DigestedFile, skillFileProblem } from '../files/package-check.rules.js';
import { isHidden } from '../files/package-path.rules.js';
import { MOST_BYTES, MOST_FILES, type PackageProblem } from '../files/package.js';

/** A link to a parent folder would cause an endless loop. */
const MOST_LEVELS = 10;

interface SurveyedFile {
  path: string;
  /** The real path of the file. */
  place: string;
  size: number;
}

/** The content of a package folder, as far as it is known without reading its files. */
export interface Survey {
  /** Changes whenever a file changes. */
  fingerprint: string;
  files: SurveyedFile[];
  /** All folders in it, to watch. */
  folders: string[];
  /** Why the files should not be read; null = no problem. */
  problem: PackageProblem | null;
}

/** Surveys the folder of a package. Never throws: an unreadable file is a problem of the package. */
export async function surveyPackage(folder: string, name: string): Promise<Survey> {
  const walk = new Walk(name);
  try {
    const root = await realpath(folder);
    walk.folders.push(root);
    // Without SKILL.md, the folder may be anything, and large.
    const message = skillFileProblem(await readdir(root));
    if (message === null) await walk.into(root, '', 0, root);
    else walk.refuse(name, message);
  } catch (error) {
    walk.refuse(name, unreadable(error, 'folder and all in it'));
  }
  const { files, folders, problem, facts } = walk;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([facts, problem]))
    .digest('hex');
  return { fingerprint, files, folders, problem };
}

class Walk {
  readonly files: SurveyedFile[] = [];
  readonly folders: string[] = [];
  readonly facts: unknown[] = [];
  problem: PackageProblem | null = null;
  private bytes = 0;

  constructor(private readonly name: string) {}

  /** @param root the real path of the package, which no link may leave */
  async into(folder: string, prefix: string, level: number, root: string): Promise<void> {
    if (level > MOST_LEVELS)
      return this.refuse(prefix, `folders are nested more than ${MOST_LEVELS} levels deep, or a link leads back`);
    if (level > 0) this.folders.push(folder);
    const names = (await readdir(folder)).filter((one) => !isHidden(one)).sort();
    for (const one of names) {
      if (this.problem) return;
      const path = prefix === '' ? one : `${prefix}/${one}`;
      const place = await realpath(join(folder, one)).catch((error: unknown) => codeOf(error));
      if (!place.includes(sep)) return this.refuse(path, `cannot be read, or is a link to nothing (${place})`);
      if (!place.startsWith(root + sep))
        return this.refuse(path, 'is a link that leads out of the package: put a copy of the file there');
      const about = await stat(place);
      // Programs that copy files keep their `mtime`, but none can keep `ctime`.
      this.facts.push([path, about.size, about.mtimeMs, about.ctimeMs, about.ino, about.isDirectory()]);
      if (about.isDirectory()) await this.into(place, path, level + 1, root);
      else if (about.isFile()) this.add({ path, place, size: about.size });
      else this.refuse(path, 'is neither a file nor a folder: take it out');
    }
  }

  refuse(file: string, message: string): void {
    this.problem ??= { severity: 'error', file: file.slice(0, 300), line: 1, message };
  }

  private add(file: SurveyedFile): void {
    this.files.push(file);
    this.bytes += file.size;
    if (this.files.length > MOST_FILES)
      this.refuse(this.name, `has more than ${MOST_FILES} files: leave out those that assistants never read`);
    if (this.bytes > MOST_BYTES)
      this.refuse(this.name, `has more than ${MOST_BYTES / 1024 / 1024} MB: leave out large files, or link to them`);
  }
}

/** Reads the files of a survey. Returns null when one of them has changed since, and the problem of one that cannot be read. */
export async function readSurveyed({ files }: Survey): Promise<DigestedFile[] | PackageProblem | null> {
  const read: DigestedFile[] = [];
  for (const { path, place, size } of files) {
    try {
      const bytes = await readExactly(place, size);
      if (bytes === null) return null;
      read.push({ path, bytes, digest: digestOf(bytes) });
    } catch (error) {
      if (REPLACED.includes(codeOf(error))) return null;
      return { severity: 'error', file: path, line: 1, message: unreadable(error, 'file') };
    }
  }
  return read;
}

/** Errors of a file that is gone, or has become a link or a socket. */
const REPLACED: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'];

async function readExactly(place: string, size: number): Promise<Uint8Array | null> {
  // Does not follow a link, or wait for a pipe, that has replaced the file.
  const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) return null;
    const buffer = Buffer.alloc(size + 1);
    let length = 0;
    for (let more = 1; more > 0 && length <= size; length += more)
      more = (await file.read(buffer, length, size + 1 - length, null)).bytesRead;
    return length === size ? buffer.subarray(0, size) : null;
  } finally {
    await file.close();
  }
}

/** Returns what is wrong with a file or folder that cannot be read. */
export const unreadable = (error: unknown, what: 'file' | 'folder and all in it'): string =>
  `cannot be read (${codeOf(error)}): let the service read the ${what}`;

/** Returns the code of an error of the file system, such as `EACCES`. */
export const codeOf = (error: unknown): string => String((Object(error) as { code?: unknown }).code);
