/** Skill modules: files with code. */
export interface SkillModuleTable {
  name: string;
  file: string;
  source: string;
  version: number; // the latest
  approved: number | null; // the last approved version; null = none
  enabled: number;
  problem: string | null; // why the service disabled it; null = not disabled by the service
  created_at: string;
  updated_at: string;
  updated_by: string | null; // null = changed through its file
  removed_at: string | null; // when its file disappeared; null = it exists
}

export interface SkillModuleVersionTable {
  name: string;
  version: number;
  digest: string;
  declaration: string; // JSON
  saved_at: string;
  saved_by: string | null; // null = changed through its file
  files: string; // JSON: texts by path
  javascript: string; // the same without types
}

/** The values that modules keep between calls. */
export interface SkillModuleStateTable {
  name: string;
  value: string; // sealed
  updated_at: string;
}

/** The settings of modules, as administrators set them. */
export interface SkillModuleSettingsTable {
  name: string;
  version: number; // incremented with each change
  given: string; // JSON: values by setting name
  updated_at: string;
  updated_by: string;
}
