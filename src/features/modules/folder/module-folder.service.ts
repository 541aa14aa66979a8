import { dirname } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/environment/environment.js';
import { FolderScans } from '../../../platform/folders/folder-scans.js';
import { FolderNotReadable } from '../../../platform/folders/folders.errors.js';
import { InvalidModule, InvalidModuleFile, ModuleNotChecked } from '../modules.errors.js';
import { SkillModules } from '../modules.service.js';
import { isWaiting } from '../declared/approval.rules.js';
import { digestOf, moduleNameOf } from '../declared/module.js';
import { findModuleFiles, type ModuleFile, readModuleFiles } from './module-files.js';

/** A file of SKILLS_DIR with mistakes. Until they are fixed, its module stays unchanged. */
export interface BrokenFile {
  file: string;
  name: string;
  problems: readonly string[];
}

interface Loaded extends BrokenFile {
  fingerprint: string;
  /** True when something other than the file prevents loading the module; this may change. */
  isRefused: boolean;
  /** How often checking it was interrupted, possibly by something else. */
  interruptions: number;
}

/** A file whose check was interrupted this often is ignored until it changes: it may be what crashes the module process. */
const MOST_INTERRUPTIONS = 3;

/** Synchronises the modules with the files in SKILLS_DIR. */
@Injectable()
export class ModuleFolder extends FolderScans {
  private readonly loaded = new Map<string, Loaded>();
  /** Fingerprints of new or changed files in the previous check; null = the file was gone. */
  private seen = new Map<string, string | null>();
  private isFirst = true;

  constructor(
    environment: Environment,
    private readonly modules: SkillModules,
  ) {
    super(environment.SKILLS_DIR, { calmMs: 200, settledMs: 300 });
  }

  /** Returns the files with mistakes, in alphabetical order. */
  listBroken(): BrokenFile[] {
    return [...this.loaded.values()]
      .filter(({ problems }) => problems.length > 0)
      .map(({ file, name, problems }) => ({ file, name, problems }))
      .sort((one, other) => (one.file < other.file ? -1 : 1));
  }

  /** Returns whether there may be a file of a module, valid or not, which would restore it. */
  async has(name: string): Promise<boolean> {
    try {
      const found = await findModuleFiles(this.root);
      return found?.some(({ file }) => moduleNameOf(file) === name) ?? false;
    } catch (error) {
      if (error instanceof FolderNotReadable) return true;
      throw error;
    }
  }

  /** Loads files that are unchanged since the previous check. @returns whether another check is needed soon */
  protected async scanOnce(): Promise<boolean> {
    const all = await findModuleFiles(this.root);
    if (this.isStopped) return false;
    const found = all && this.withoutUnknown(all);
    // A missing folder does not mean that its files were removed.
    this.watch(found === null ? [dirname(this.root)] : [this.root, ...found.flatMap(({ folders }) => folders)]);
    if (found === null) return false;
    const seen = new Map<string, string | null>();
    // Remove missing files first: another file may take their place.
    await this.removeMissing(new Set(found.map(({ file }) => file)), seen);
    for (const file of found) if (!this.isStopped) await this.load(file, seen);
    this.seen = seen;
    // A folder that cannot be read may be any of the modules.
    if (seen.size === 0 && this.isFirst && all?.every(({ isHidden }) => !isHidden)) {
      await this.removeOthers(found);
      this.isFirst = false;
    }
    return seen.size > 0;
  }

  /** Leaves out folders that cannot be read, unless a module was loaded from them: they may be anything. */
  private withoutUnknown(files: readonly ModuleFile[]): ModuleFile[] {
    return files.flatMap((one) => {
      if (!one.isHidden) return [one];
      const known = [...this.loaded.values()].filter(({ name }) => name === moduleNameOf(one.file));
      return known.map(({ file }) => ({ ...one, file }));
    });
  }

  private async load(found: ModuleFile, seen: Map<string, string | null>): Promise<void> {
    const { file, fingerprint } = found;
    const known = this.loaded.get(file);
    const isKnown = known?.fingerprint === fingerprint;
    if (isKnown && !this.mustResave(known)) return;
    if (!isKnown && this.seen.get(file) !== fingerprint) seen.set(file, fingerprint);
    else if (!(await this.take(found))) seen.set(file, ''); // it changed while being read
  }

  /** Returns whether a valid module is not stored: its name was taken, or another replica removed it. */
  private mustResave({ name, problems, isRefused }: Loaded): boolean {
    return isRefused || (problems.length === 0 && this.modules.find(name)?.source !== 'folder');
  }

  /** Loads a module; returns whether its files were unchanged while being read. */
  private async take(found: ModuleFile): Promise<boolean> {
    const { file, fingerprint } = found;
    const name = moduleNameOf(file);
    const of = { file, name, fingerprint, interruptions: 0 };
    const twin = [...this.loaded.values()].find((other) => other.name === name && other.file !== file);
    const problem = twin ? `has the same name as ${twin.file}: rename one of the two files` : found.problem;
    if (problem !== null) {
      this.note({ ...of, problems: [problem], isRefused: twin !== undefined });
      return true;
    }
    try {
      const files = await readModuleFiles(found);
      if (files === null) return false;
      const known = this.modules.find(name);
      const isSame = known?.source === 'folder' && known.file === file && known.newest.digest === digestOf(files);
      const refused = isSame ? null : await this.modules.saveFromFolder(await this.modules.check(file, files));
      this.note({ ...of, problems: refused === null ? [] : [refused], isRefused: refused !== null });
    } catch (error) {
      const problems = problemsOf(error);
      if (problems === null) throw error;
      const before = this.loaded.get(file);
      const earlier = before?.fingerprint === fingerprint ? before.interruptions : 0;
      const interruptions = error instanceof ModuleNotChecked ? earlier + 1 : 0;
      const isRefused = interruptions > 0 && interruptions < MOST_INTERRUPTIONS;
      this.note({ ...of, interruptions, problems, isRefused });
    }
    return true;
  }

  /** Removes the modules of files that were gone in two checks. */
  private async removeMissing(there: ReadonlySet<string>, seen: Map<string, string | null>): Promise<void> {
    for (const { file, name } of [...this.loaded.values()]) {
      if (there.has(file)) continue;
      if (this.seen.get(file) !== null) seen.set(file, null);
      else {
        const hasOther = [...there].some((other) => moduleNameOf(other) === name);
        if (!hasOther && (await this.modules.removeFromFolder(name)))
          this.logger.log(`skill module ${name} was removed, because its file ${file} is gone`);
        this.loaded.delete(file);
      }
    }
  }

  /** Removes modules whose files were removed while the service was down. */
  private async removeOthers(found: readonly ModuleFile[]): Promise<void> {
    // Another replica may have another folder, so an empty one is not a reason to remove modules.
    if (found.length === 0) return;
    const kept = new Set(found.map(({ file }) => moduleNameOf(file)));
    for (const { name, source } of this.modules.list()) {
      if (source === 'folder' && !kept.has(name) && (await this.modules.removeFromFolder(name)))
        this.logger.log(`skill module ${name} was removed, because its file is gone`);
    }
  }

  private loadedMessage({ name, file }: Loaded): string {
    const module = this.modules.find(name);
    const waits = module !== undefined && isWaiting(module, this.modules.rule());
    return `loaded skill module ${name} from ${file}${waits ? ', which waits for approval on the page Skill modules' : ''}`;
  }

  private note(loaded: Loaded): void {
    const before = this.loaded.get(loaded.file);
    this.loaded.set(loaded.file, loaded);
    if (JSON.stringify(before) === JSON.stringify(loaded)) return;
    if (loaded.problems.length === 0) this.logger.log(this.loadedMessage(loaded));
    for (const problem of loaded.problems.slice(0, 10)) this.logger.warn(`${loaded.file}: ${problem}`);
  }
}

/** Returns the problems of a file from an error; null when the error has another cause. */
function problemsOf(error: unknown): readonly string[] | null {
  if (error instanceof InvalidModule) return error.problems;
  if (error instanceof InvalidModuleFile || error instanceof ModuleNotChecked) return [error.message];
  return error instanceof TypeError ? ['is no text in UTF-8'] : null;
}
