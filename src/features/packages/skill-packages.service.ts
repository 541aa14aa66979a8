import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReplicaChannel } from '../../platform/database/replica-channel.service.js';
import { SharedRows } from '../../platform/database/shared-rows.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { textOf } from './files/package-check.rules.js';
import { instructionsIn } from './files/skill-file.rules.js';
import {
  type CheckedPackage,
  type ListedFile,
  MOST_PACKAGES,
  type PackageVersion,
  SKILL_FILE,
  type SkillPackage,
} from './files/package.js';
import { PackageLists, type RemovedPackage, type StoredFile } from './package-lists.store.js';
import { PackageStore, type SaveOutcome } from './package.store.js';
import {
  PackageFromFolder,
  PackageConflict,
  PackageNameTaken,
  PackageNotFound,
  TooManyPackages,
} from './packages.errors.js';

/**
 * Saves, lists and removes skill packages. Caches the current version of each, with its files but not their contents, so that
 * everything shown of a package is from one version.
 */
@Injectable()
export class SkillPackages implements OnModuleInit {
  private packages: ReadonlyMap<string, SkillPackage> = new Map();
  private states: ReadonlyMap<string, string> = new Map();
  private readonly rows = new SharedRows({
    read: () => this.read(),
    onOwnChange: (names) => {
      this.events.emit('packages.changed', { names });
      return this.replicas.notify('packages');
    },
    onOthersChange: (names) => this.events.emit('packages.changed', { names, isFromElsewhere: true }),
  });

  constructor(
    private readonly store: PackageStore,
    private readonly lists: PackageLists,
    private readonly events: EventBus,
    private readonly replicas: ReplicaChannel,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.read();
    this.replicas.on('packages', () => this.rows.reload());
  }

  /** Returns all packages, including disabled ones, in alphabetical order. */
  list(): SkillPackage[] {
    return [...this.packages.values()];
  }

  /** Returns the packages that clients get, in alphabetical order. */
  listEnabled(): SkillPackage[] {
    return this.list().filter(({ enabled }) => enabled);
  }

  find(name: string): SkillPackage | undefined {
    return this.packages.get(name);
  }

  /** Finds a package that clients get. */
  findEnabled(name: string): SkillPackage | undefined {
    const found = this.packages.get(name);
    return found?.enabled ? found : undefined;
  }

  /** @throws PackageNotFound */
  get(name: string): SkillPackage {
    const found = this.find(name);
    if (!found) throw new PackageNotFound(name);
    return found;
  }

  /** Returns the bytes of a file of a version; undefined when the file does not exist, or the version is no longer kept. */
  readFile({ name, version }: Pick<SkillPackage, 'name' | 'version'>, path: string): Promise<Uint8Array | undefined> {
    return this.lists.readFile(name, version, path);
  }

  /** Finds files of any kept version of a package; returns their locations, by digest. */
  findFiles(name: string, digests: readonly string[]): Promise<Map<string, StoredFile>> {
    return this.lists.findFiles(name, digests);
  }

  /** Returns the instructions of a version: its SKILL.md without the frontmatter. @throws PackageNotFound */
  async instructionsOf(one: Pick<SkillPackage, 'name' | 'version'>): Promise<string> {
    const bytes = await this.readFile(one, SKILL_FILE);
    if (!bytes) throw new PackageNotFound(one.name, SKILL_FILE);
    return instructionsIn(textOf(bytes));
  }

  /** Saves the package of a folder; returns why it was refused, or null. */
  async saveFromFolder(checked: CheckedPackage, at = new Date()): Promise<string | null> {
    const save = { source: 'folder', by: null, at, most: MOST_PACKAGES } as const;
    const outcome = await this.rows.change(() => this.store.save(checked, save));
    if (outcome === 'taken') return new PackageNameTaken(checked.name).message;
    return outcome === 'full' ? new TooManyPackages().message : null;
  }

  /**
   * Saves an upload.
   * @param basedOn the version that it may replace; 0 = none; undefined = any
   * @throws PackageFromFolder, PackageConflict, TooManyPackages
   */
  async saveUpload(
    checked: CheckedPackage,
    by: string,
    { basedOn, at = new Date() }: { basedOn?: number | undefined; at?: Date } = {},
  ): Promise<SaveOutcome> {
    const save = { source: 'upload', by, at, most: MOST_PACKAGES, basedOn } as const;
    const outcome = await this.rows.change(() => this.store.save(checked, save));
    if (outcome === 'outdated') throw new PackageConflict(checked.name, basedOn ?? 0);
    if (outcome === 'taken') throw new PackageFromFolder(checked.name);
    if (outcome === 'full') throw new TooManyPackages();
    return outcome;
  }

  /** Removes the package of a folder that is gone. Returns whether it existed. */
  removeFromFolder(name: string, at = new Date()): Promise<boolean> {
    return this.rows.change(() => this.store.remove(name, { source: 'folder', by: null, at }));
  }

  /** Removes a package; it can be restored. @throws PackageNotFound */
  async remove(name: string, by: string, at = new Date()): Promise<void> {
    if (!(await this.rows.change(() => this.store.remove(name, { by, at })))) throw new PackageNotFound(name);
  }

  /** Restores a removed package. @throws PackageNotFound, TooManyPackages */
  async restore(name: string, by: string, at = new Date()): Promise<void> {
    const outcome = await this.rows.change(() => this.store.restore(name, { by, at, most: MOST_PACKAGES }));
    if (outcome === 'missing') throw new PackageNotFound(name);
    if (outcome === 'full') throw new TooManyPackages();
  }

  /** @throws PackageNotFound */
  async setEnabled(name: string, enabled: boolean, by: string, at = new Date()): Promise<void> {
    const isThere = await this.rows.change(() => this.store.setEnabled(name, enabled, { by, at }));
    if (!isThere) throw new PackageNotFound(name);
  }

  /** Makes an earlier version the current one. @throws PackageNotFound, PackageFromFolder */
  async setCurrent(name: string, version: number, by: string, at = new Date()): Promise<void> {
    if (this.get(name).source === 'folder') throw new PackageFromFolder(name);
    const isThere = await this.rows.change(() => this.store.setCurrent(name, version, { by, at }));
    if (!isThere) throw new PackageNotFound(name, `version ${version}`);
  }

  /** Returns the kept versions, last saved first, even if the package was removed. */
  listVersions(name: string): Promise<PackageVersion[]> {
    return this.lists.listVersions(name);
  }

  /** Returns the files of a version, even if the package was removed. @throws PackageNotFound */
  async listFiles(name: string, version: number): Promise<ListedFile[]> {
    const files = await this.lists.listFiles(name, version);
    if (files.length === 0) throw new PackageNotFound(name, `version ${version}`);
    return files;
  }

  listRemoved(): Promise<RemovedPackage[]> {
    return this.lists.listRemoved();
  }

  /** Reloads changed packages; returns their names. */
  private async read(): Promise<string[]> {
    const before = this.states;
    const after = await this.lists.states();
    const names = [...new Set([...before.keys(), ...after.keys()])].filter(
      (name) => before.get(name) !== after.get(name),
    );
    if (names.length === 0) return [];
    const changed = new Set(names);
    const kept = [...this.packages.values()].filter(({ name }) => !changed.has(name));
    const current = await this.lists.listCurrent(names);
    const sorted = [...kept, ...current].sort((one, other) => (one.name < other.name ? -1 : 1));
    this.packages = new Map(sorted.map((one) => [one.name, one]));
    this.states = after;
    return names.sort();
  }
}
