import { dirname, resolve } from 'node:path';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Environment } from '../../../platform/environment/environment.js';
import { FolderLooks } from '../../../platform/folders/folder-looks.js';
import { checkPackage } from '../files/package-check.rules.js';
import type { PackageProblem } from '../files/package.js';
import { PackageFromFolder } from '../packages.errors.js';
import { SkillPackages } from '../skill-packages.service.js';
import { readSurveyed, type Survey, surveyPackage } from './package-survey.js';
import { findPackages, type PackageFolder } from './skills-folder.js';

/** A folder of SKILLS_DIR, as it was last taken over. */
export interface LoadedFolder {
  /** Its place in SKILLS_DIR. */
  place: string;
  /** The name of its package, or what SKILL.md says that it is; otherwise that of the folder. */
  name: string;
  /** What is wrong with it. While there are errors, the package stays as it was before. */
  problems: PackageProblem[];
}

type Loaded = LoadedFolder & {
  fingerprint: string;
  /** Whether something beside the folder keeps the package from being taken, which may end. */
  isRefused: boolean;
};

/** Changes come in groups: they are looked at this long after the first one. */
const CALM_MS = 250;
/** A folder is taken when it was the same in two looks, this far apart: it may be in the middle of being written. */
const SETTLED_MS = 450;
/** Keeps the packages of the folders in SKILLS_DIR: each is a package as long as it is there. */
@Injectable()
export class PackageFolders implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(PackageFolders.name);
  private readonly root: string;
  private readonly looks = new FolderLooks({
    look: () => this.lookNow(),
    onError: (error) => this.logger.error(error),
    calmMs: CALM_MS,
    settledMs: SETTLED_MS,
  });
  private readonly loaded = new Map<string, Loaded>();
  /** What the look before has seen of folders that are new or different; null = that a folder is gone. */
  private seen = new Map<string, string | null>();
  private isFirst = true;

  constructor(
    environment: Environment,
    private readonly packages: SkillPackages,
  ) {
    this.root = resolve(environment.SKILLS_DIR);
  }

  onApplicationBootstrap(): void {
    this.looks.begin();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.looks.stop();
  }

  /** Returns the folders, in the order of their places. */
  list(): LoadedFolder[] {
    return [...this.loaded.values()]
      .map(({ place, name, problems }) => ({ place, name, problems }))
      .sort((one, other) => (one.place < other.place ? -1 : 1));
  }

  /** Returns whether a folder has a package, and would bring it back. */
  async has(name: string): Promise<boolean> {
    await this.looks.settled();
    return this.list().some((folder) => folder.name === name);
  }

  /** @throws PackageFromFolder when a folder would bring the package back */
  async assertNotFromFolder(name: string): Promise<void> {
    if (await this.has(name)) throw new PackageFromFolder(name);
  }

  /**
   * Takes over what is as it was in the look before. Looks one after the other.
   * @returns whether something is to be looked at again soon
   */
  look(): Promise<boolean> {
    return this.looks.look();
  }

  private async lookNow(): Promise<boolean> {
    const found = await findPackages(this.root);
    // A folder that is not there says nothing about what was in it.
    if (this.looks.isStopped) return false;
    if (found === null) {
      this.looks.watch([dirname(this.root)]); // where it may appear
      return false;
    }
    const watched = [...found.folders];
    const seen = new Map<string, string | null>();
    const owners = new Map<string, string>();
    for (const folder of found.packages) {
      if (this.looks.isStopped) return false;
      watched.push(...(await this.lookAt(folder, seen, owners)));
    }
    await this.removeGone(found.packages, seen);
    this.seen = seen;
    this.looks.watch(watched);
    if (seen.size === 0 && this.isFirst) {
      await this.removeOthers();
      this.isFirst = false;
    }
    return seen.size > 0;
  }

  /** Takes over one folder if it has settled; returns the folders to watch. */
  private async lookAt(
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
    if (isKnown && (isTwice ? known.isRefused : !this.mustSaveAgain(known))) return survey.folders;
    if (!isKnown && this.seen.get(place) !== fingerprint) seen.set(place, fingerprint);
    else if (survey.problem) this.note({ place, name, problems: [survey.problem], fingerprint, isRefused: false });
    else if (!(await this.take(folder, survey, owners))) seen.set(place, '');
    return survey.folders;
  }

  /** Returns whether a package that is right is not there: another had its name, or another replica removed it. */
  private mustSaveAgain({ name, problems, isRefused }: Loaded): boolean {
    const isRight = problems.every(({ severity }) => severity !== 'error');
    return isRefused || (isRight && this.packages.find(name)?.source !== 'folder');
  }

  /** Reads and saves a package; returns false, and does nothing, when it changed meanwhile. */
  private async take(
    { place, path, name: folder }: PackageFolder,
    survey: Survey,
    owners: Map<string, string>,
  ): Promise<boolean> {
    const files = await readSurveyed(survey);
    if (files === null || (await surveyPackage(path, place)).fingerprint !== survey.fingerprint) return false;
    const { name: given, checked, problems } = checkPackage(folder, files);
    const known = this.loaded.get(place)?.name;
    const name = checked?.name ?? known ?? given ?? folder;
    const before = known ?? name;
    if (before !== name && owners.get(before) === place) owners.delete(before);
    const owner = owners.get(name) ?? place;
    owners.set(name, owner);
    const twice = owner === place ? null : `has the same name as ${owner}: rename one of the two`;
    const refused = twice ?? (checked && (await this.packages.saveFromFolder(checked)));
    const all = refused === null ? problems : [errorAt(place, refused), ...problems];
    // Noted last: where the removal fails, the next look is to try again.
    if (before !== name) await this.removeUnowned(before, place, `${place} has another name now`);
    this.note({ place, name, problems: all, fingerprint: survey.fingerprint, isRefused: refused !== null });
    return true;
  }

  /** Removes a package that a folder had, unless another folder has it. */
  private async removeUnowned(name: string, former: string, why: string): Promise<void> {
    if (this.list().some((folder) => folder.name === name && folder.place !== former)) return;
    if (await this.packages.removeFromFolder(name))
      this.logger.log(`skill package ${name} was removed, because ${why}`);
  }

  /** Removes the packages of folders that were gone in two looks. */
  private async removeGone(found: readonly PackageFolder[], seen: Map<string, string | null>): Promise<void> {
    const there = new Set(found.map(({ place }) => place));
    for (const { place, name } of [...this.loaded.values()]) {
      if (there.has(place)) continue;
      if (this.seen.get(place) !== null) seen.set(place, null);
      else {
        await this.removeUnowned(name, place, `its folder ${place} is gone`);
        this.loaded.delete(place);
      }
    }
  }

  /** Removes packages whose folders went while the service was down. */
  private async removeOthers(): Promise<void> {
    const kept = new Set(this.list().map(({ name }) => name));
    // Another replica may have another folder: an empty one says nothing.
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
