import { dirname } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/environment/environment.js';
import { FolderScans } from '../../../platform/folders/folder-scans.js';
import { checkPackage } from '../files/package-check.rules.js';
import type { PackageProblem } from '../files/package.js';
import { PackageFromFolder } from '../packages.errors.js';
import { SkillPackages } from '../skill-packages.service.js';
import { readSurveyed, type Survey, surveyPackage } from './package-survey.js';
import { findPackages, type PackageFolder } from './skills-folder.js';

/** A folder of SKILLS_DIR, as it was last loaded. */
export interface LoadedFolder {
  /** Its path in SKILLS_DIR. */
  place: string;
  /** The name of its package, from SKILL.md or else from the folder. */
  name: string;
  /** Its problems. While there are errors, the package stays unchanged. */
  problems: PackageProblem[];
}

type Loaded = LoadedFolder & {
  fingerprint: string;
  /** True when something other than the folder prevents saving the package; this may change. */
  isRefused: boolean;
};

/** Synchronises the packages with the folders in SKILLS_DIR. */
@Injectable()
export class PackageFolders extends FolderScans {
  private readonly loaded = new Map<string, Loaded>();
  /** Fingerprints of new or changed folders in the previous check; null = the folder was gone. */
  private seen = new Map<string, string | null>();
  private isFirst = true;

  constructor(
    environment: Environment,
    private readonly packages: SkillPackages,
  ) {
    super(environment.SKILLS_DIR, { calmMs: 250, settledMs: 450 });
  }

  /** Returns the folders, ordered by path. */
  list(): LoadedFolder[] {
    return [...this.loaded.values()]
      .map(({ place, name, problems }) => ({ place, name, problems }))
      .sort((one, other) => (one.place < other.place ? -1 : 1));
  }

  /** Returns whether a package comes from a folder, which would restore it. */
  async has(name: string): Promise<boolean> {
    await this.settled();
    return this.list().some((folder) => folder.name === name);
  }

  /** @throws PackageFromFolder when the package comes from a folder, which would restore it */
  async assertNotFromFolder(name: string): Promise<void> {
    if (await this.has(name)) throw new PackageFromFolder(name);
  }

  /** Loads folders that are unchanged since the previous check. @returns whether another check is needed soon */
  protected async scanOnce(): Promise<boolean> {
    const found = await findPackages(this.root);
    // A missing folder does not mean that its packages were removed.
    if (this.isStopped) return false;
    if (found === null) {
      this.watch([dirname(this.root)]); // where the folder may appear
      return false;
    }
    const watched = [...found.folders];
    const seen = new Map<string, string | null>();
    const owners = new Map<string, string>();
    for (const folder of found.packages) {
      if (this.isStopped) return false;
      watched.push(...(await this.load(folder, seen, owners)));
    }
    await this.removeMissing(found.packages, seen);
    this.seen = seen;
    this.watch(watched);
    // A folder that cannot be read may be any of the packages.
    if (seen.size === 0 && this.isFirst && found.packages.every(({ problem }) => problem === null)) {
      await this.removeOthers();
      this.isFirst = false;
    }
    return seen.size > 0;
  }

  /** Loads one folder if it has settled; returns the folders to watch. */
  private async load(
    folder: PackageFolder,
    seen: Map<string, string | null>,
    owners: Map<string, string>,
  ): Promise<string[]> {
    const { place, problem } = folder;
    const known = this.loaded.get(place);
    const name = known?.name ?? folder.name;
    if (problem) {
      this.note({ place, name, problems: [problem], fingerprint: problem.message, isRefused: false });
      return [];
    }
    const survey = await surveyPackage(folder.path, place);
    const { fingerprint } = survey;
    const isKnown = known?.fingerprint === fingerprint;
    const isTwice = known !== undefined && owners.has(name);
    if (known && !isTwice) owners.set(name, place);
    if (isKnown && (isTwice ? known.isRefused : !this.mustResave(known))) return survey.folders;
    if (!isKnown && this.seen.get(place) !== fingerprint) seen.set(place, fingerprint);
    else if (survey.problem) this.note({ place, name, problems: [survey.problem], fingerprint, isRefused: false });
    else if (!(await this.take(folder, survey, owners))) seen.set(place, '');
    return survey.folders;
  }

  /** Returns whether a valid package is not stored: its name was taken, or another replica removed it. */
  private mustResave({ name, problems, isRefused }: Loaded): boolean {
    const isRight = problems.every(({ severity }) => severity !== 'error');
    return isRefused || (isRight && this.packages.find(name)?.source !== 'folder');
  }

  /** Reads and saves a package; returns false, and does nothing, when it changed in the meantime. */
  private async take(
    { place, path, name: folder }: PackageFolder,
    survey: Survey,
    owners: Map<string, string>,
  ): Promise<boolean> {
    const files = await readSurveyed(survey);
    if (files === null || (await surveyPackage(path, place)).fingerprint !== survey.fingerprint) return false;
    const known = this.loaded.get(place)?.name;
    if ('message' in files) {
      this.note({ place, name: known ?? folder, problems: [files], fingerprint: survey.fingerprint, isRefused: true });
      return true;
    }
    const { name: given, checked, problems } = checkPackage(folder, files);
    const name = checked?.name ?? known ?? given ?? folder;
    const before = known ?? name;
    if (before !== name && owners.get(before) === place) owners.delete(before);
    const owner = owners.get(name) ?? place;
    owners.set(name, owner);
    const twice = owner === place ? null : `has the same name as ${owner}: rename one of the two`;
    const refused = twice ?? (checked && (await this.packages.saveFromFolder(checked)));
    const all = refused === null ? problems : [errorAt(place, refused), ...problems];
    // Recorded last, so that the next check retries a failed removal.
    if (before !== name) await this.removeUnowned(before, place, `${place} has another name now`);
    this.note({ place, name, problems: all, fingerprint: survey.fingerprint, isRefused: refused !== null });
    return true;
  }

  /** Removes the previous package of a folder, unless another folder has it. */
  private async removeUnowned(name: string, former: string, why: string): Promise<void> {
    if (this.list().some((folder) => folder.name === name && folder.place !== former)) return;
    if (await this.packages.removeFromFolder(name))
      this.logger.log(`skill package ${name} was removed, because ${why}`);
  }

  /** Removes the packages of folders that were gone in two checks. */
  private async removeMissing(found: readonly PackageFolder[], seen: Map<string, string | null>): Promise<void> {
    const there = new Set(found.map(({ place }) => place));
    const broken = new Set(found.flatMap(({ place, problem }) => (problem ? [place] : [])));
    for (const { place, name } of [...this.loaded.values()]) {
      // What is below a folder of SKILLS_DIR with a problem cannot be seen.
      if (there.has(place) || broken.has(place.split('/', 1)[0] ?? place)) continue;
      if (this.seen.get(place) !== null) seen.set(place, null);
      else {
        await this.removeUnowned(name, place, `its folder ${place} is gone`);
        this.loaded.delete(place);
      }
    }
  }

  /** Removes packages whose folders were removed while the service was down. */
  private async removeOthers(): Promise<void> {
    const kept = new Set(this.list().map(({ name }) => name));
    // Another replica may have another folder, so an empty one is not a reason to remove packages.
    if (kept.size === 0) return;
    for (const { name, source } of this.packages.list()) {
      if (source === 'folder' && !kept.has(name) && (await this.packages.removeFromFolder(name)))
        this.logger.log(`skill package ${name} was removed, because its folder is gone`);
    }
  }

  private note(folder: Loaded): void {
    const before = this.loaded.get(folder.place);
    this.loaded.set(folder.place, folder);
    if (JSON.stringify(before) === JSON.stringify(folder)) return;
    const errors = folder.problems.filter(({ severity }) => severity === 'error');
    if (errors.length === 0) this.logger.log(`loaded skill package ${folder.name} from ${folder.place}`);
    for (const { file, line, message } of errors.slice(0, 10))
      this.logger.warn(`${file === folder.place ? file : `${folder.place}/${file}`}:${line} ${message}`);
  }
}

const errorAt = (file: string, message: string): PackageProblem => ({ severity: 'error', file, line: 1, message });
