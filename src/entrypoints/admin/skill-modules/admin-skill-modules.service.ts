import { Injectable } from '@nestjs/common';
import type { JsonObject } from '#skill-kit';
import { ModuleSkills } from '../../../features/modules/calls/module-skills.service.js';
import { isWaiting, offeredVersion, usesOf } from '../../../features/modules/declared/approval.rules.js';
import { ModuleFolder } from '../../../features/modules/folder/module-folder.service.js';
import { type DeclaredSkill, NO_ARGUMENTS, type SkillModule } from '../../../features/modules/declared/module.js';
import { SampleModules } from '../../../features/modules/sample-modules.service.js';
import { SkillModules } from '../../../features/modules/modules.service.js';
import {
  fittingValues,
  misfitsOf,
  schemaOfSettings,
  settingsOf,
} from '../../../features/modules/declared/settings.rules.js';
import { ModuleUploads } from '../../../features/modules/upload/module-uploads.service.js';
import { ModuleSettingsConflict } from '../../../features/modules/modules.errors.js';
import { OutdatedChange } from '../api/versions/versions.errors.js';
import type {
  FullModuleView,
  ModuleApprovalBody,
  ModuleFileView,
  ModuleListView,
  ModuleSettingsView,
  ModuleUploadBody,
  SampleModuleListView,
} from './skill-modules.schema.js';

@Injectable()
export class AdminSkillModules {
  constructor(
    private readonly modules: SkillModules,
    private readonly skills: ModuleSkills,
    private readonly folder: ModuleFolder,
    private readonly samples: SampleModules,
    private readonly uploads: ModuleUploads,
  ) {}

  list(): ModuleListView {
    return { items: this.modules.list().map((one) => this.factsOf(one)), brokenFiles: this.folder.listBroken() };
  }

  /** @throws ModuleNotFound */
  async get(name: string): Promise<FullModuleView> {
    const found = this.modules.get(name);
    const facts = this.factsOf(found);
    const { version, skills } = found.newest;
    const versions = await this.modules.listVersions(name);
    return {
      ...facts,
      isInFolder: found.source === 'folder' && (await this.folder.has(name)),
      skills: skills.map(toSkillView),
      uses: usesOf(skills),
      files: await this.filesOf(name, version),
      versions: versions.map(({ skills: _skills, ...one }) => one),
    };
  }

  /** @throws InvalidModule, InvalidModuleFile, ModuleNotChecked, ModuleFromFolder, TooManyModules */
  async upload(upload: ModuleUploadBody, by: string): Promise<FullModuleView> {
    return this.get((await this.uploads.save(upload, by)).name);
  }

  async listSamples(): Promise<SampleModuleListView> {
    const samples = await this.samples.list();
    return {
      items: samples.map(({ name, file, skills }) => ({
        ...{ name, file, skills: skills.map(toSkillView), uses: usesOf(skills) },
        settings: settingsOf(skills).map((setting) => setting.name),
        isThere: this.modules.find(name) !== undefined,
      })),
    };
  }

  /** @throws SampleNotFound, SampleThere, TooManyModules */
  async addSample(name: string, by: string): Promise<FullModuleView> {
    return this.get((await this.samples.add(name, by)).name);
  }

  /** @throws ModuleNotFound; ModuleFromFolder when it comes from a file that is there */
  async remove(name: string): Promise<void> {
    const isLeft = this.modules.get(name).source === 'folder' && !(await this.folder.has(name));
    if (isLeft) await this.modules.removeFromFolder(name);
    else await this.modules.remove(name);
  }

  async setEnabled(name: string, enabled: boolean, by: string): Promise<FullModuleView> {
    await this.modules.setEnabled(name, enabled, by);
    return this.get(name);
  }

  async approve(name: string, { version, digest }: ModuleApprovalBody, by: string): Promise<FullModuleView> {
    await this.modules.approve(name, { version, digest }, by);
    return this.get(name);
  }

  /** @throws ModuleNotFound */
  async filesOf(name: string, version: number): Promise<ModuleFileView[]> {
    const { files } = await this.modules.textOf(name, version);
    return Object.entries(files)
      .map(([path, code]) => ({ path, code }))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** @throws ModuleNotFound */
  settingsOf(name: string): ModuleSettingsView {
    const { newest, given } = this.modules.get(name);
    const settings = settingsOf(newest.skills);
    return {
      schema: schemaOfSettings(settings),
      values: fittingValues(settings, given.values),
      misfits: misfitsOf(settings, given.values),
      version: given.version,
    };
  }

  /** @throws ModuleNotFound, InvalidModuleSettings, OutdatedChange */
  async giveSettings(name: string, values: JsonObject, by: string, basedOn?: number): Promise<ModuleSettingsView> {
    await this.modules.giveSettings(name, values, { by, basedOn }).catch((error: unknown) => {
      throw error instanceof ModuleSettingsConflict ? new OutdatedChange(error, this.settingsOf(name)) : error;
    });
    return this.settingsOf(name);
  }

  private factsOf(one: SkillModule) {
    const { name, file, source, newest, enabled, problem, updatedAt, updatedBy } = one;
    const rule = this.modules.rule();
    const broken = this.folder.listBroken().flatMap((other) => (other.name === name ? other.problems : []));
    return {
      ...{ name, file, source, enabled, updatedAt, updatedBy, version: newest.version, digest: newest.digest },
      offered: offeredVersion(one, rule)?.version ?? null,
      isWaiting: isWaiting(one, rule),
      skillNames: newest.skills.map((skill) => skill.name),
      problems: [...(problem === null ? [] : [problem]), ...this.skills.problemsOf(name), ...broken],
    };
  }
}

const toSkillView = ({ name, title, description, input, uses }: DeclaredSkill) => ({
  ...{ name, title, description, uses },
  input: input ?? NO_ARGUMENTS,
});
