import { zipSync } from 'fflate';
import {
  type Check,
  checkPackage,
  digestOf,
  judgePackage,
  type Judgement,
  type SizedFile,
} from '../files/package-check.rules.js';
import { type FoundFile, type PackageProblem, SKILL_FILE } from '../files/package.js';

export interface PackageDraft {
  /** Name of the edited package, which it keeps; null = a new package. */
  name: string | null;
  skillFile: string;
  files: readonly SizedFile[];
}

/** An edited package, with SKILL.md among its files. */
export interface WrittenPackage {
  name: string;
  files: readonly FoundFile[];
}

export function judgeDraft({ name, skillFile, files }: PackageDraft): Judgement {
  const bytes = Buffer.from(skillFile);
  const judged = judgePackage(null, bytes, [{ path: SKILL_FILE, size: bytes.length }, ...files]);
  const problem = nameProblem(name, judged.name, judged.nameLine);
  return problem ? { ...judged, frontmatter: null, problems: [problem, ...judged.problems] } : judged;
}

export function checkWritten({ name, files }: WrittenPackage): Check {
  const digested = files.map((file) => ({ ...file, digest: digestOf(file.bytes) }));
  const check = checkPackage(null, digested);
  const problem = nameProblem(name, check.name, 1);
  return problem ? { ...check, checked: null, problems: [problem, ...check.problems] } : check;
}

function nameProblem(name: string | null, written: string | null, line: number): PackageProblem | null {
  if (name === null || written === null || written === name) return null;
  const message = `name is "${written}", but a package keeps its name: write "name: ${name}", or make a new package`;
  return { severity: 'error', file: SKILL_FILE, line, message };
}

export interface FilesToPack {
  /** Prefix of each path: empty, or a folder with a trailing `/`. */
  prefix: string;
  /** Ordered by path. */
  files: readonly FoundFile[];
}

/** A ZIP archive, and the digest of its bytes. */
export interface PackedVersion {
  bytes: Uint8Array;
  digest: string;
}

/** ZIP stores local times; this one gives the same bytes everywhere. */
const PACKED_AT = new Date(2000, 0, 1);

/** Packs files deterministically: the same files give the same bytes on every replica. */
export function packVersion({ prefix, files }: FilesToPack): PackedVersion {
  const entries = files.map(({ path, bytes }): [string, Uint8Array] => [`${prefix}${path}`, bytes]);
  const bytes = zipSync(Object.fromEntries(entries), { mtime: PACKED_AT });
  return { bytes, digest: digestOf(bytes) };
}
