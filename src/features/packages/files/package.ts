import type { JsonObject } from '#skill-kit';

/** The file that makes a folder a skill package (agentskills/agentskills, docs/specification.mdx). */
export const SKILL_FILE = 'SKILL.md';

/** Limits of one package (modelcontextprotocol/ext-skills, specification/stable/skills.mdx, "Limits"). */
export const MOST_FILES = 512;
export const MOST_BYTES = 16 * 1024 * 1024;
/** How many packages there may be, removed ones not counted. */
export const MOST_PACKAGES = 500;

/** Numbers of versions are less: what both databases hold. */
export const MOST_VERSIONS = 2_147_483_647;

/** Where a version comes from: a folder in SKILLS_DIR, or an upload in the administration. */
export type PackageSource = 'folder' | 'upload';

/** Something that is wrong with a package. An error keeps it from being taken. */
export interface PackageProblem {
  severity: 'error' | 'warning';
  /** Its path in the package; the name of the folder when it is about no file. */
  file: string;
  /** From 1. */
  line: number;
  message: string;
}

/** A file of a package, as it was found. */
export interface FoundFile {
  /** Within the package, with `/` between its parts. */
  path: string;
  bytes: Uint8Array;
}

/** What is known of a file without its content. */
export interface ListedFile {
  path: string;
  /** `sha256:` and 64 hexadecimal digits, of the bytes. */
  digest: string;
  /** In bytes. */
  size: number;
  mimeType: string;
}

/** The frontmatter of SKILL.md as JSON: all fields that its author wrote. */
export type Frontmatter = JsonObject & { name: string; description: string };

/** A package that is right. */
export interface CheckedPackage {
  name: string;
  frontmatter: Frontmatter;
  /** The same for two packages that have the same files. */
  digest: string;
  /** In the order of their paths. */
  files: readonly (ListedFile & FoundFile)[];
}

/** A package of which every client may get the current version. */
export interface SkillPackage {
  name: string;
  /** Number of the current version. */
  version: number;
  enabled: boolean;
  source: PackageSource;
  updatedAt: Date;
  updatedBy: string | null; // null = the folder changed
  digest: string;
  frontmatter: Frontmatter;
  files: readonly ListedFile[];
}

/** A version of a package without its files. */
export interface PackageVersion {
  name: string;
  version: number;
  digest: string;
  /** How many files it has, and how many bytes they have together. */
  files: number;
  bytes: number;
  source: PackageSource;
  savedAt: Date;
  savedBy: string | null; // null = the folder changed
}
