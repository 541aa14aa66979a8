/** Skill modules: files with code. */
export interface SkillModuleTable {
  name: string;
  file: string;
  source: string;
  version: number; // the newest
  approved: number | null; // the version that was approved last; null = none
  enabled: number;
  problem: string | null; // why the service disabled it; null = it did not
  updated_at: string;
  updated_by: string | null; // null = its file changed
  removed_at: string | null; // since when its file is gone; null = it is there
}

export interface SkillModuleVersionTable {
  name: string;
  version: number;
  digest: string;
  declaration: string; // JSON
  saved_at: string;
  saved_by: string | null; // null = its file changed
  files: string; // JSON of texts, by paths
  javascript: string; // the same without types
}

/** What modules keep between calls. */
export interface SkillModuleStateTable {
  name: string;
  value: string; // sealed
  updated_at: string;
}

/** What administrators have set for modules. */
export interface SkillModuleSettingsTable {
  name: string;
  version: number; // incremented with each change
  given: string; // JSON of values, by the names of settings
  updated_at: string;
  updated_by: string;
}
