import { hash } from 'node:crypto';
import type { ModuleFiles } from '#skill-host';
import type { JsonObject } from '#skill-kit';

/** Names of modules: those of their files, without the extension, or of their folders. */
export const MODULE_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;
/** The same in words. */
export const MODULE_NAME_RULE = 'at most 64 letters, digits, "_" and "-", beginning with a letter';
export const MODULE_FILE = /^([^/\\]{1,64})\.(ts|mts|js|mjs)$/;
/** The entry file of a folder that is a module: the first of these that exists. */
export const INDEX_FILES = ['index.ts', 'index.mts', 'index.js', 'index.mjs'];
const FOLDER_MODULE = /^([^/\\]{1,64})\/index\.(?:ts|mts|js|mjs)$/;
/** Maximum characters of all files of a module. */
export const MOST_CODE = 1_000_000;
/** Maximum number of files in a module that is a folder, and their maximum depth. */
export const MOST_MODULE_FILES = 100;
export const MOST_FOLDERS = 5;
export const MOST_MODULES = 200;
export const MOST_SKILLS = 20;
export const MOST_VERSIONS = 20;
/** The largest version number that both databases can store. */
export const LARGEST_VERSION = 2_147_483_647;
/** Maximum size of the state of a module as JSON, in characters. */
export const MOST_STATE = 65_536;

/** Maximum number of settings of a module, and of characters in one. */
export const MOST_SETTINGS = 20;
export const MOST_SETTING = 2_000;

/** The input schema of skills that declare none. */
export const NO_ARGUMENTS: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

export type ModuleSource = 'folder' | 'upload';

/** The declared uses of a skill, beyond plain JavaScript. */
export interface DeclaredUses {
  hosts: readonly string[];
  skills: readonly string[];
  secrets: readonly string[];
  /** Names of secrets that are URLs of databases. */
  databases: readonly string[];
  state: boolean;
}

export type SettingValue = string | number | boolean;

export interface DeclaredSetting {
  name: string;
  type: 'string' | 'integer' | 'number' | 'boolean';
  description: string | null;
  default: SettingValue | null; // null = no value until an administrator sets one
  minimum: number | null;
  maximum: number | null;
  enum: readonly string[] | null; // null = any text
}

/** The values that administrators have set, by setting; they need not match the declaration of a version. */
export interface GivenSettings {
  values: Readonly<Record<string, SettingValue>>;
  /** Incremented with each change, continuing after a removed module of this name; 0 = never set. */
  version: number;
}

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

/**
 * Returns the name of the module whose skills a file exports, such as `weather.ts` or `weather/index.ts`; '' when it cannot be
 * the entry file of a module.
 */
export const moduleNameOf = (file: string): string => (FOLDER_MODULE.exec(file) ?? MODULE_FILE.exec(file))?.[1] ?? '';

/** Returns the digest of all files of a module, independent of their order. */
export const digestOf = (files: ModuleFiles): string =>
  `sha256:${hash('sha256', JSON.stringify(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1))))}`;

/** A module that has been loaded once, and has a valid declaration. */
export interface CheckedModule {
  name: string;
  /** For example `weather.ts` or `weather/index.ts`. */
  file: string;
  files: ModuleFiles;
  /** The code without types. */
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
  /** The last approved version; null = none. */
  approved: ModuleVersion | null;
  enabled: boolean;
  /** Why the service disabled it; null = it did not. */
  problem: string | null;
  given: GivenSettings;
  createdAt: Date;
  updatedAt: Date;
  updatedBy: string | null; // null = its file changed
}

/** Returns a key that identifies the code of a version among all running code. */
export const codeKeyOf = (name: string, { digest }: ModuleVersion): string => `${name} ${digest}`;

/** Which modules wait for an administrator (setting modules.approval). */
export type ApprovalRule = 'uses' | 'always' | 'none';
