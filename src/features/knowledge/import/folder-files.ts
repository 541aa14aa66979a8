import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { FolderNotReadable } from '../documents/knowledge.errors.js';

/** A file in a folder, or under a symbolic link in it. */
export interface FolderFile {
  /** Relative to the folder, with slashes. */
  path: string;
  /** The absolute path, without symbolic links. */
  place: string;
}

export interface FolderFiles {
  /** Sorted by path. */
  files: FolderFile[];
  /** Files and links that were left out despite an importable name. */
  skipped: { path: string; reason: string }[];
}

interface Walk {
  root: string;
  followsOut: boolean;
  found: FolderFiles;
  /** The real paths of the folders that were read and the files that were found. */
  seen: Set<string>;
  links: FolderFile[];
}

/**
 * Lists the files in a folder and its folders; leaves out hidden ones and node_modules. Follows a symbolic link within the folder
 * only to files that are not listed without it, and out of the folder only with `followsOut`: nothing is listed twice, and no
 * link causes an endless loop.
 * @throws FolderNotReadable
 */
export async function filesOfFolder(folder: string, { followsOut }: { followsOut: boolean }): Promise<FolderFiles> {
  const root = await rootOf(folder);
  const walk: Walk = { root, followsOut, found: { files: [], skipped: [] }, seen: new Set(), links: [] };
  await readFolder(walk, { path: '', place: root });
  // Follow links last: by then it is known whether their targets are already in the list.
  for (let link = walk.links.shift(); link; link = walk.links.shift()) await followLink(walk, link);
  const { files, skipped } = walk.found;
  return { files: files.sort(byPath), skipped: skipped.sort(byPath) };
}

async function rootOf(folder: string): Promise<string> {
  const root = await realpath(folder).catch((error: NodeJS.ErrnoException) => {
    throw new FolderNotReadable(folder, error.code === 'ENOENT' ? 'it does not exist' : error.message);
  });
  if (!(await stat(root)).isDirectory()) throw new FolderNotReadable(folder, 'it is not a folder');
  return root;
}

async function readFolder(walk: Walk, { path, place }: FolderFile): Promise<void> {
  if (walk.seen.has(place)) return;
  walk.seen.add(place);
  const entries = await readdir(place, { withFileTypes: true });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const child = { path: path === '' ? entry.name : `${path}/${entry.name}`, place: join(place, entry.name) };
    if (entry.isSymbolicLink()) walk.links.push(child);
    else await addEntry(walk, child, entry);
  }
}

async function addEntry(walk: Walk, child: FolderFile, entry: Pick<Dirent, 'isDirectory' | 'isFile'>): Promise<void> {
  if (entry.isDirectory()) return readFolder(walk, child);
  if (!entry.isFile()) return skip(walk, child, 'it is neither a file nor a folder');
  if (walk.seen.has(child.place)) return skip(walk, child, 'it is imported under another path');
  walk.seen.add(child.place);
  walk.found.files.push(child);
}

async function followLink(walk: Walk, link: FolderFile): Promise<void> {
  const target = await realpath(link.place).catch(() => null);
  if (target === null) return skip(walk, link, 'it is a symbolic link to nothing');
  if (!walk.followsOut && target !== walk.root && !target.startsWith(walk.root + sep)) {
    return skip(walk, link, `it is a symbolic link out of the folder, to ${target} (--follow-links imports it)`);
  }
  if (walk.seen.has(target)) return skip(walk, link, 'it is a symbolic link to what is imported itself');
  await addEntry(walk, { path: link.path, place: target }, await stat(target));
}

function skip({ found }: Walk, { path }: FolderFile, reason: string): void {
  found.skipped.push({ path, reason });
}

const byPath = (one: { path: string }, other: { path: string }): number => (one.path < other.path ? -1 : 1);
