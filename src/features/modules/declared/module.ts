import { hash } from 'node:crypto';
import type { ModuleFiles } from '#skill-host';
import type { JsonObject } from '#skill-kit';

/** Names of modules: those of their files, without the extension, or of their folders. */
export const MODULE_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;
/** Files that are modules. */
export const MODULE_FILE = /^([^/\\]{1,64})\.(ts|mts|js|mjs)$/;
/** The file of a folder that is a module; the first of these that is there. */
export const INDEX_FILES = ['index.ts', 'index.mts', 'index.js', 'index.mjs'];
const FOLDER_MODULE = /^([^/\\]{1,64})\/index\.(?:ts|mts|js|mjs)$/;
/** Characters of all files of a module. */
export const MOST_CODE = 1_000_000;
/** Files of a module that is a folder, and how deep they may be in it. */
export const MOST_MODULE_FILES = 100;
export const MOST_FOLDERS = 5;
export const MOST_MODULES = 200;
export const MOST_SKILLS = 20;
/** Versions that are kept of a module. */
export const MOST_VERSIONS = 20;
/** Numbers of versions are at most this: what both databases hold. */
export const LARGEST_VERSION = 2_147_483_647;
/** Characters of the state of a module, as JSON. */
export const MOST_STATE = 65_536;

/** Settings of a module, and characters of the text in one. */
export const MOST_SETTINGS = 20;
export const MOST_SETTING = 2_000;

/** The input of skills that declare none. */
export const NO_ARGUMENTS: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

export type ModuleSource = 'folder' | 'upload';

/** What a skill of a module uses beside plain JavaScript. */
export interface DeclaredUses {
  hosts: readonly string[];
  skills: readonly string[];
  secrets: readonly string[];
  /** Names of secrets that are URLs of databases. */
  databases: readonly string[];
  state: boolean;
}

export type SettingValue = string | number | boolean;

/** A setting as a module declares it. */
export interface DeclaredSetting {
  name: string;
  type: 'string' | 'integer' | 'number' | 'boolean';
  description: string | null;
  default: SettingValue | null; // null = it has no value until an administrator gives it one
  minimum: number | null;
  maximum: number | null;
  enum: readonly string[] | null; // null = any text
}

/** What administrators have set, by the names of settings; it need not fit what a version declares. */
export interface GivenSettings {
  values: Readonly<Record<string, SettingValue>>;
  /** Incremented with each change, and after those of a module of this name that was removed; 0 = nothing was ever set. */
  version: number;
}

/** A skill as a module declares it. */
export interface DeclaredSkill {
  name: string;
  title: string | null;
  description: string;
  input: JsonObject | null;
  output: JsonObject | null;
  annotations: Record<string, boolean>;
  tags: readonly string[];
  uses: DeclaredUses;
  settings: readonly DeclaredSetting[];
}

/** Returns the name of the module whose skills a file exports, such as `weather.ts` or `weather/index.ts`; '' when it can be of none. */
export const moduleNameOf = (file: string): string => (FOLDER_MODULE.exec(file) ?? MODULE_FILE.exec(file))?.[1] ?? '';

/** The digest of all files of a module, in whichever order they are. */
export const digestOf = (files: ModuleFiles): string =>
  `sha256:${hash('sha256', JSON.stringify(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1))))}`;

/** A module that was loaded once, and whose declaration is right. */
export interface CheckedModule {
  name: string;
  /** Such as `weather.ts` or `weather/index.ts`. */
  file: string;
  files: ModuleFiles;
  /** The same without types. */
  javascript: ModuleFiles;
  digest: string;
  skills: readonly DeclaredSkill[];
}

export interface ModuleVersion {
  version: number;
  digest: string;
  skills: readonly DeclaredSkill[];
  savedAt: Date;
  savedBy: string | null; // null = its file changed
}

export interface SkillModule {
  name: string;
  file: string;
  source: ModuleSource;
  newest: ModuleVersion;
  /** The version that was approved last; null = none. */
  approved: ModuleVersion | null;
  enabled: boolean;
  /** Why the service disabled it; null = it did not. */
  problem: string | null;
  given: GivenSettings;
  updatedAt: Date;
  updatedBy: string | null; // null = its file changed
}

/** What tells the code of a version from all others that run. */
export const codeKeyOf = (name: string, { digest }: ModuleVersion): string => `${name} ${digest}`;

/** Which modules wait for an administrator (setting modules.approval). */
export type ApprovalRule = 'uses' | 'always' | 'none';
