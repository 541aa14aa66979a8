import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { MODULE_FILE, MOST_CODE, MOST_MODULES } from '../declared/module.js';

/** A file of SKILLS_DIR that is a module, or should be one. */
export interface ModuleFile {
  file: string;
  path: string;
  /** Other than before when the file may have changed. */
  fingerprint: string;
  /** Why it is none; null when it can be read. */
  problem: string | null;
}

const NOT_MODULES = /^[._]|\.(test|spec|d)\.[a-z]+$/;

/** Finds the module files right in SKILLS_DIR. Returns null when the folder is missing or cannot be read. */
export async function findModuleFiles(root: string): Promise<ModuleFile[] | null> {
  let names: string[];
  let real: string;
  try {
    real = await realpath(root);
    names = await readdir(root);
  } catch {
    return null;
  }
  const wanted = names.filter((name) => MODULE_FILE.test(name) && !NOT_MODULES.test(name)).sort();
  const files = await Promise.all(wanted.map((file) => fileAt(real, file)));
  return files.flatMap((found) => found ?? []).map((one, index) => (index < MOST_MODULES ? one : leftOut(one)));
}

/** Returns the text of a file. @throws Error when it is gone, or is no text */
export async function readModuleFile(path: string): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
}

async function fileAt(root: string, file: string): Promise<ModuleFile | null> {
  try {
    const path = await realpath(join(root, file));
    const about = await stat(path);
    if (!about.isFile()) return null;
    const fingerprint = [about.size, about.mtimeMs, about.ino].join(' ');
    return { file, path, fingerprint, problem: problemOf(path.startsWith(root + sep), about.size) };
  } catch {
    return null; // it went meanwhile, or leads nowhere
  }
}

function problemOf(isInside: boolean, size: number): string | null {
  if (!isInside) return 'is a link that leads out of SKILLS_DIR: put a copy of the file there';
  return size > MOST_CODE ? `has more than ${MOST_CODE} bytes: a bundler can leave out what it does not use` : null;
}

const leftOut = (one: ModuleFile): ModuleFile => ({
  ...one,
  problem: `is left out: SKILLS_DIR has more than ${MOST_MODULES} skill modules`,
});
