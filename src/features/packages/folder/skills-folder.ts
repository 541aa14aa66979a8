import type { Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { readFolder } from '../../../platform/folders/read-folder.js';
import { indexIn } from '../../modules/folder/module-files.js';
import { isHidden } from '../files/package-path.rules.js';
import { codeOf, unreadable } from './package-survey.js';
import { MOST_PACKAGES, type PackageProblem, SKILL_FILE } from '../files/package.js';

/** A folder of SKILLS_DIR that is a package, valid or not. */
export interface PackageFolder {
  /** Path in SKILLS_DIR, such as `our-repo/skills/release`. */
  place: string;
  path: string;
  name: string;
  /** Why it cannot be read; null = no problem. */
  problem: PackageProblem | null;
}

interface Found {
  packages: PackageFolder[];
  /** The folders above the packages, to watch. */
  folders: string[];
}

const SKILLS = 'skills';

/**
 * Finds the packages in SKILLS_DIR: `<name>/SKILL.md`, `skills/<name>/SKILL.md`, and `<repository>/skills/<name>/SKILL.md`.
 * Returns null when the folder is missing.
 * @throws FolderNotReadable
 */
export async function findPackages(root: string): Promise<Found | null> {
  const names = await readFolder(root);
  if (names === null) return null;
  const real = await realpath(root);
  const found: Found = { packages: [], folders: [root] };
  for (const name of listed(names)) {
    if (name === SKILL_FILE) found.packages.push(misplaced(root));
    await orUnreadable(found, name, join(root, name), () => findAt(found, name, join(root, name), real));
  }
  found.packages = await bounded(found.packages);
  return found;
}

/** Leaves out what exceeds the limit: of the packages, and of the other folders, which take no place from them. */
async function bounded(found: readonly PackageFolder[]): Promise<PackageFolder[]> {
  const counts = { packages: 0, others: 0 };
  const kept: PackageFolder[] = [];
  for (const one of found) {
    const isPackage = one.problem === null && (await isThere(join(one.path, SKILL_FILE)).catch(() => true));
    const count = (counts[isPackage ? 'packages' : 'others'] += 1);
    kept.push(
      count <= MOST_PACKAGES ? one : leftOut(one, isPackage ? 'skill packages' : `folders without a ${SKILL_FILE}`),
    );
  }
  return kept;
}

/** Adds the package, or the packages, of a folder in SKILLS_DIR. */
async function findAt(found: Found, name: string, path: string, real: string): Promise<void> {
  if (!(await isFolder(path))) return;
  const within = (await realpath(path)).startsWith(real + sep);
  if ((await indexIn(path).catch(() => null)) !== null) return; // a skill module
  if (!within) found.packages.push(leadsOut(name, path));
  else if (name !== SKILLS && (await isThere(join(path, SKILL_FILE)))) found.packages.push(folderOf(name, path));
  else await findBelow(found, name, name === SKILLS ? path : join(path, SKILLS), path);
}

/** Adds the packages of a folder `skills`; without one, treats the folder itself as a package. */
async function findBelow(found: Found, place: string, skills: string, path: string): Promise<void> {
  found.folders.push(path);
  if (!(await isFolder(skills))) {
    found.packages.push(folderOf(place, path));
    return;
  }
  if (skills !== path) found.folders.push(skills);
  const prefix = skills === path ? place : `${place}/${SKILLS}`;
  for (const name of listed(await readdir(skills))) {
    const below = join(skills, name);
    await orUnreadable(found, `${prefix}/${name}`, below, async () => {
      if (!(await isFolder(below))) return;
      const isInside = (await realpath(below)).startsWith((await realpath(path)) + sep);
      found.packages.push(isInside ? folderOf(`${prefix}/${name}`, below) : leadsOut(`${prefix}/${name}`, below));
    });
  }
}

/** Adds a folder that cannot be read as one with a problem: otherwise it would count as gone, with all packages below it. */
async function orUnreadable(found: Found, place: string, path: string, add: () => Promise<void>): Promise<void> {
  try {
    await add();
  } catch (error) {
    if (isOfMissing(error)) return; // it was removed in the meantime
    found.packages.push(folderOf(place, path, unreadable(error, 'folder and all in it')));
  }
}

/** `lost+found` is at the root of a volume, and only root may read it. */
const NO_PACKAGES: readonly string[] = ['node_modules', 'lost+found'];

const listed = (names: readonly string[]): string[] =>
  names.filter((name) => !isHidden(name) && !NO_PACKAGES.includes(name)).sort();

const isThere = async (path: string): Promise<boolean> => (await find(path)) !== null;

const isFolder = async (path: string): Promise<boolean> => (await find(path))?.isDirectory() ?? false;

/** Returns null when a path is missing, or a link to nothing. @throws other errors: they say nothing about that */
async function find(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (isOfMissing(error)) return null;
    throw error;
  }
}

const isOfMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error));

const folderOf = (place: string, path: string, message: string | null = null): PackageFolder => ({
  ...{ place, path, name: basename(path) },
  problem: message === null ? null : { severity: 'error', file: place, line: 1, message },
});

const misplaced = (root: string): PackageFolder =>
  folderOf(SKILL_FILE, join(root, SKILL_FILE), 'must be in a folder that has the name of the skill: move it there');

const leadsOut = (place: string, path: string): PackageFolder =>
  folderOf(place, path, 'is a link that leads out of SKILLS_DIR: put a copy of the folder there');

const leftOut = ({ place, path }: PackageFolder, what: string): PackageFolder =>
  folderOf(place, path, `is left out: SKILLS_DIR has more than ${MOST_PACKAGES} ${what}`);
