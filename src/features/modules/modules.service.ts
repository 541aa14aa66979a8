import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { isStorable } from '#bounded-json';
import { ModuleFailed, type ModuleFiles, ModuleInterrupted } from '#skill-host';
import type { JsonObject } from '#skill-kit';
import { SettingsService } from '../../platform/config/settings.service.js';
import { ReplicaChannel } from '../../platform/database/replica-channel.service.js';
import { SharedRows } from '../../platform/database/shared-rows.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { isWaiting, offeredVersion } from './declared/approval.rules.js';
import { readDeclaration } from './declared/declaration.rules.js';
import { fittingValues, misfitsOf, problemsOfValues, settingsOf } from './declared/settings.rules.js';
import { ModuleHost } from './module-host.service.js';
import {
  type ApprovalRule,
  type CheckedModule,
  type GivenSettings,
  codeKeyOf,
  digestOf,
  MODULE_NAME,
  moduleNameOf,
  MOST_CODE,
  MOST_MODULES,
  type ModuleVersion,
  type SkillModule,
} from './declared/module.js';
import { type ApprovedCode, ModuleStore, type ModuleText } from './module.store.js';
import { Offences } from './offences.js';
import {
  InvalidModule,
  InvalidModuleFile,
  InvalidModuleSettings,
  ModuleChanged,
  ModuleFromFolder,
  ModuleNameTaken,
  ModuleNotChecked,
  ModuleNotFound,
  ModuleSettingsConflict,
  TooManyModules,
} from './modules.errors.js';

/** Offences of the same code within a day after which the service disables its module. */
const MOST_OFFENCES = 3;

const MOST_PROBLEMS = 20;

type Given = GivenSettings['values'];

interface SettingsChange {
  by: string;
  basedOn: number | undefined;
  at?: Date;
}

/** Saves, lists and removes skill modules, and caches the list of them. */
@Injectable()
export class SkillModules implements OnModuleInit {
  private readonly logger = new Logger(SkillModules.name);
  private modules: ReadonlyMap<string, SkillModule> = new Map();
  private readonly offences = new Offences();
  private readonly rows = new SharedRows({
    read: () => this.read(),
    onOwnChange: (names) => {
      this.events.emit('modules.changed', { names });
      return this.replicas.notify('modules');
    },
    onOthersChange: (names) => this.events.emit('modules.changed', { names, isFromElsewhere: true }),
  });
  private loads = 0;

  constructor(
    private readonly store: ModuleStore,
    private readonly host: ModuleHost,
    private readonly events: EventBus,
    private readonly replicas: ReplicaChannel,
    private readonly settings: SettingsService,
  ) {}

  async onModuleInit(): Promise<void> {
    this.host.onOffence(
      (key, message) => void this.count(key, message).catch((error: unknown) => this.logger.error(error)),
    );
    await this.read();
    this.replicas.on('modules', () => this.rows.reload());
  }

  /** Returns all modules in alphabetical order. */
  list(): SkillModule[] {
    return [...this.modules.values()];
  }

  find(name: string): SkillModule | undefined {
    return this.modules.get(name);
  }

  /** @throws ModuleNotFound */
  get(name: string): SkillModule {
    const found = this.modules.get(name);
    if (!found) throw new ModuleNotFound(name);
    return found;
  }

  listVersions(name: string): Promise<ModuleVersion[]> {
    return this.store.listVersions(name);
  }

  /** @throws ModuleNotFound */
  async textOf(name: string, version: number): Promise<ModuleText> {
    const found = await this.store.textOf(name, version);
    if (!found) throw new ModuleNotFound(name, `version ${version}`);
    return found;
  }

  /**
   * Loads code once, and reads its declaration.
   * @param file the file that exports the skills
   * @throws InvalidModuleFile, InvalidModule, ModuleNotChecked
   */
  async check(file: string, files: ModuleFiles): Promise<CheckedModule> {
    const name = moduleNameOf(file);
    if (!MODULE_NAME.test(name)) throw new InvalidModuleFile();
    for (const [path, text] of Object.entries(files))
      if (!isStorable(text))
        throw new InvalidModule(path, ['it has a character that is none (NUL, or half of a pair)']);
    const length = Object.values(files).reduce((sum, text) => sum + text.length, 0);
    if (length > MOST_CODE) throw new InvalidModule(file, [`it has more than ${MOST_CODE} characters`]);
    const key = `${name} check ${(this.loads += 1)}`;
    try {
      const opened = await this.host.open({ key, file, files, hasTypes: true });
      const declared = readDeclaration(opened.declaration);
      if ('problems' in declared) throw new InvalidModule(file, declared.problems);
      return { name, file, files, javascript: opened.files, digest: digestOf(files), ...declared };
    } catch (error) {
      if (error instanceof ModuleInterrupted) throw new ModuleNotChecked(file, error.message);
      throw error instanceof ModuleFailed ? new InvalidModule(file, [error.message]) : error;
    } finally {
      this.host.release(key);
    }
  }

  /** Saves the module of a file in SKILLS_DIR; returns why it was refused, or null. */
  async saveFromFolder(checked: CheckedModule): Promise<string | null> {
    const change = { by: null, at: new Date() };
    const outcome = await this.rows.change(() => this.store.save(checked, 'folder', change, MOST_MODULES));
    if (outcome === 'taken') return new ModuleNameTaken(checked.name).message;
    return outcome === 'full' ? new TooManyModules().message : null;
  }

  /** Loads, checks and saves an upload. @throws InvalidModuleFile, InvalidModule, ModuleNotChecked, ModuleFromFolder, TooManyModules */
  async saveUpload(file: string, files: ModuleFiles, by: string): Promise<SkillModule> {
    const checked = await this.check(file, files);
    const change = { by, at: new Date() };
    const outcome = await this.rows.change(() => this.store.save(checked, 'upload', change, MOST_MODULES));
    if (outcome === 'taken') throw new ModuleFromFolder(checked.name);
    if (outcome === 'full') throw new TooManyModules();
    return this.get(checked.name);
  }

  /** Removes the module of a file that is gone, until the file is back. Returns whether it existed. */
  removeFromFolder(name: string): Promise<boolean> {
    return this.rows.change(() => this.store.retire(name, new Date()));
  }

  /** Removes an upload for good. @throws ModuleNotFound, ModuleFromFolder */
  async remove(name: string): Promise<void> {
    if (this.get(name).source === 'folder') throw new ModuleFromFolder(name);
    if (!(await this.rows.change(() => this.store.remove(name)))) throw new ModuleNotFound(name);
  }

  /** @throws ModuleNotFound */
  async setEnabled(name: string, enabled: boolean, by: string): Promise<void> {
    this.offences.forget(this.get(name).name);
    const isThere = await this.rows.change(() => this.store.setEnabled(name, enabled, { by, at: new Date() }));
    if (!isThere) throw new ModuleNotFound(name);
  }

  /** Approves the newest version for clients. @throws ModuleNotFound, ModuleChanged when it has another number or code */
  async approve(name: string, code: ApprovedCode, by: string): Promise<void> {
    this.get(name);
    const isApproved = await this.rows.change(() => this.store.approve(name, code, { by, at: new Date() }));
    if (!isApproved) throw new ModuleChanged(name);
  }

  /**
   * Replaces the values that administrators have set; omitted settings get their defaults.
   * @param basedOn the version of the settings that was read; undefined = any
   * @throws ModuleNotFound, InvalidModuleSettings, ModuleSettingsConflict
   */
  async giveSettings(
    name: string,
    values: JsonObject,
    { by, basedOn, at = new Date() }: SettingsChange,
  ): Promise<void> {
    const module = this.get(name);
    const { newest, approved, given } = module;
    const settings = settingsOf(newest.skills);
    const problems = problemsOfValues(settings, values);
    if (problems.length > 0) throw new InvalidModuleSettings(problems.slice(0, MOST_PROBLEMS));
    // Clients may still get a version with other settings, or with other types of values.
    const misfits = isWaiting(module, this.rule()) ? misfitsOf(settings, given.values) : [];
    const stay = misfits.map((misfit) => misfit.name).filter((one) => !Object.hasOwn(values, one));
    const others = settingsOf(approved?.skills ?? []).filter(
      (one) => stay.includes(one.name) || settings.every(({ name }) => name !== one.name),
    );
    const all = { ...fittingValues(others, given.values), ...fittingValues(settings, values as Given) };
    const outcome = await this.rows.change(() => this.store.giveSettings(name, all, basedOn, { by, at }));
    if (outcome === 'missing') throw new ModuleNotFound(name);
    if (outcome === 'outdated') throw new ModuleSettingsConflict(name, basedOn ?? 0);
  }

  /** The setting that decides which version clients get. */
  rule(): ApprovalRule {
    return this.settings.get('modules.approval') as ApprovalRule;
  }

  /** Counts an offence of the code with this key, and disables its module when there are too many. */
  private async count(key: string, message: string): Promise<void> {
    const rule = this.rule();
    const offender = this.list().find((module) => {
      const version = offeredVersion(module, rule);
      return version !== null && codeKeyOf(module.name, version) === key;
    });
    // The code is only being checked, or another version has replaced it: its callers get the error.
    if (!offender) return;
    const { name } = offender;
    const count = this.offences.count(name, key, performance.now());
    this.logger.warn(`the skill module ${name} was stopped: ${message}`);
    if (count < MOST_OFFENCES) return;
    this.offences.forget(name);
    const problem = `The service disabled it, because it was stopped ${count} times within a day; the last time: ${message}`;
    const change = { by: null, at: new Date() };
    await this.rows.change(() => this.store.setEnabled(name, false, change, problem.slice(0, 1_000)));
  }

  /** Reloads all modules; returns the names of the changed ones. */
  private async read(): Promise<string[]> {
    const before = this.modules;
    this.modules = new Map((await this.store.list()).map((module) => [module.name, module]));
    const names = new Set([...before.keys(), ...this.modules.keys()]);
    const isSame = (name: string) => stateOf(before.get(name)) === stateOf(this.modules.get(name));
    return [...names].filter((name) => !isSame(name)).sort();
  }
}

const stateOf = (module: SkillModule | undefined): string =>
  module
    ? [
        module.newest.version,
        module.newest.digest,
        module.approved?.version,
        module.enabled,
        module.problem,
        module.source,
        module.given.version,
        module.createdAt.getTime(),
      ].join()
    : '';
