import type { Generated } from 'kysely';

/** Skill packages. Rows of a removed package are kept for a while, so that it can be restored. */
export interface SkillPackageTable {
  id: Generated<number>;
  name: string;
  version: number; // the current one
  enabled: number;
  source: string;
  updated_at: string;
  updated_by: string | null; // null = its folder changed
  removed_at: string | null; // null = not removed
  removed_by: string | null;
}

export interface SkillPackageVersionTable {
  name: string;
  version: number;
  digest: string;
  frontmatter: string; // JSON
  files: number;
  bytes: number;
  source: string;
  saved_at: string;
  saved_by: string | null;
}

/** Packages proposed by clients. Decided proposals are kept without their texts, for the count. */
export interface PackageProposalTable {
  id: Generated<number>;
  name: string;
  author: string; // the client, as an owner
  state: string;
  proposed_at: string;
  description: string;
  instructions: string;
  files: string; // JSON
}

export interface SkillPackageFileTable {
  name: string;
  version: number;
  path: string;
  digest: string;
  size: number;
  mime_type: string;
  content: Uint8Array;
}
