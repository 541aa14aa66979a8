import { existsSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { ModuleFiles } from '#skill-host';
import { readFolder } from '../../../platform/folders/read-folder.js';
import { InvalidModule, NotASkillModule } from '../modules.errors.js';
import {
  INDEX_FILES,
  MODULE_FILE,
  MOST_CODE,
  MOST_FOLDERS,
  MOST_MODULE_FILES,
  MOST_MODULES,
} from '../declared/module.js';

/** A module in SKILLS_DIR, valid or not: a file, or a folder with index.ts. */
export interface ModuleFile {
  /** The file that exports its skills, such as `weather.ts` or `weather/index.ts`. */
  file: string;
  /** The real path of its folder. */
  root: string;
  /** The real paths of its files, by their paths in the module. */
  places: ReadonlyMap<string, string>;
  /** Its folders, to watch. */
  folders: readonly string[];
  /** Changes whenever a file may have changed. */
  fingerprint: string;
  /** Why it cannot be read; null = no problem. */
  problem: string | null;
  /** True when the service cannot even see whether it is a module. */
  isHidden: boolean;
}

/** `lost+found` is at the root of a volume, and only root may read it. */
const NOT_MODULES = /^[._]|\.(test|spec|d)\.[a-z]+$|^lost\+found$/;

/** Finds the modules directly in SKILLS_DIR. Returns null when the folder is missing. @throws FolderNotReadable */
export async function findModuleFiles(root: string): Promise<ModuleFile[] | null> {
  const names = await readFolder(root);
  if (names === null) return null;
  const real = await realpath(root);
  const found: ModuleFile[] = [];
  for (const name of names.sort()) {
    const one = NOT_MODULES.test(name) ? null : await moduleAt(real, name).catch((error) => hidden(real, name, error));
    if (one) found.push(found.length < MOST_MODULES ? one : leftOut(one));
  }
  return found;
}

/** Finds the module at a path, which may be its index.ts. @throws NotASkillModule */
export async function moduleFileAt(path: string): Promise<ModuleFile> {
  const place = INDEX_FILES.includes(basename(path)) ? dirname(path) : path;
  const root = await realpath(dirname(place)).catch(() => null);
  const found = root === null ? null : await moduleAt(root, basename(place));
  if (!found) throw new NotASkillModule(path, existsSync(path));
  return found;
}

/**
 * Returns the texts of the files of a module; null when one has changed since they were found: the texts must be of the same
 * time.
 * @throws TypeError when one is not a text, InvalidModule when the service may not read one
 */
export async function readModuleFiles({ file, root, places, fingerprint }: ModuleFile): Promise<ModuleFiles | null> {
  const files: Record<string, string> = {};
  for (const [path, place] of places) {
    try {
      files[path] = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(place));
    } catch (error) {
      if (error instanceof TypeError) throw error;
      if (codeOf(error) === 'EACCES')
        throw new InvalidModule(file, [`the service may not read ${path} (EACCES): let it read the file`]);
      return null; // it was removed in the meantime
    }
  }
  const again = await moduleAt(root, file.split('/')[0] ?? file).catch(() => null);
  return again?.fingerprint === fingerprint ? files : null;
}

/** @param root a real path, which no link may leave @throws errors that do not mean that it is missing */
async function moduleAt(root: string, name: string): Promise<ModuleFile | null> {
  try {
    const path = await realpath(join(root, name));
    const about = await stat(path);
    const walk = new Walk();
    if (about.isFile() && MODULE_FILE.test(name)) {
      await walk.add(root, name, name);
      return walk.found(root, name);
    }
    const index = about.isDirectory() ? await indexIn(path) : null;
    if (index === null) return null;
    if (!path.startsWith(root + sep)) walk.refuse(LEADS_OUT);
    else await walk.into(path, name, 1);
    return walk.found(root, `${name}/${index}`);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error))) return null; // removed in the meantime, or a dangling link
    throw error;
  }
}

const codeOf = (error: unknown): string => String((Object(error) as { code?: unknown }).code);

/** A folder that cannot be read: otherwise its module would count as gone. */
function hidden(root: string, name: string, error: unknown): ModuleFile {
  const file = MODULE_FILE.test(name) ? name : `${name}/index.ts`;
  const code = codeOf(error);
  const problem = `cannot be read (${code}): let the service read the folder and all in it`;
  return { file, root, places: new Map(), folders: [], fingerprint: code, problem, isHidden: true };
}

/** Returns the entry file of a folder that is a module; null when it is something else: a package, or a folder of packages. */
export async function indexIn(folder: string): Promise<string | null> {
  if (basename(folder) === 'skills') return null;
  const names = await readdir(folder);
  const index = INDEX_FILES.find((one) => names.includes(one)) ?? null;
  return names.includes('SKILL.md') || names.includes('skills') ? null : index;
}

const LEADS_OUT = 'is a link that leads out: put a copy there';

class Walk {
  private readonly places = new Map<string, string>();
  private readonly folders: string[] = [];
  private readonly facts: unknown[] = [];
  private bytes = 0;
  private problem: string | null = null;

  async into(folder: string, prefix: string, level: number, root = folder): Promise<void> {
    if (level > MOST_FOLDERS)
      return this.refuse(`has folders in more than ${MOST_FOLDERS} levels, or a link that leads back`);
    this.folders.push(folder);
    for (const name of (await readdir(folder)).sort()) {
      if (this.problem !== null) return;
      if (NOT_MODULES.test(name) || name === 'node_modules') continue;
      const path = await realpath(join(folder, name)).catch(() => null);
      const isFolder = path !== null && (await stat(path)).isDirectory();
      if (!isFolder && !MODULE_FILE.test(name)) continue;
      if (path === null) this.refuse(`has a link to nothing: ${prefix}/${name}`);
      else if (!path.startsWith(root + sep)) this.refuse(`${LEADS_OUT}: ${prefix}/${name}`);
      else if (isFolder) await this.into(path, `${prefix}/${name}`, level + 1, root);
      else await this.add(root, `${prefix}/${name}`, name, folder);
    }
  }

  /** @param path path in the module */
  async add(root: string, path: string, name: string, folder = root): Promise<void> {
    const place = await realpath(join(folder, name));
    const { size, mtimeMs, ctimeMs, ino } = await stat(place);
    if (!place.startsWith(root + sep))
      this.refuse('is a link that leads out of SKILLS_DIR: put a copy of the file there');
    this.places.set(path, place);
    // Programs that copy files keep their `mtime`, but none can keep `ctime`.
    this.facts.push([path, size, mtimeMs, ctimeMs, ino]);
    this.bytes += size;
    if (this.places.size > MOST_MODULE_FILES) this.refuse(`has more than ${MOST_MODULE_FILES} files`);
    if (this.bytes > MOST_CODE)
      this.refuse(`has more than ${MOST_CODE} bytes: a bundler can leave out what it does not use`);
  }

  refuse(problem: string): void {
    this.problem ??= problem;
  }

  found(root: string, file: string): ModuleFile {
    const { places, folders, problem } = this;
    const fingerprint = JSON.stringify([this.facts, problem]);
    return { file, root, places, folders, problem, fingerprint, isHidden: false };
  }
}

const leftOut = (one: ModuleFile): ModuleFile => ({
  ...one,
  problem: `is left out: SKILLS_DIR has more than ${MOST_MODULES} skill modules`,
});
