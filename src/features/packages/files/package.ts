import type { JsonObject } from '#skill-kit';

/** The file that makes a folder a skill package (agentskills/agentskills, docs/specification.mdx). */
export const SKILL_FILE = 'SKILL.md';

/** Limits of one package (modelcontextprotocol/ext-skills, specification/stable/skills.mdx, "Limits"). */
export const MOST_FILES = 512;
export const MOST_BYTES = 16 * 1024 * 1024;
/** Maximum number of packages, not counting removed ones. */
export const MOST_PACKAGES = 500;

/** Upper bound of version numbers: both databases can store them. */
export const MOST_VERSIONS = 2_147_483_647;

/** The source of a version: a folder in SKILLS_DIR, or an upload in the administration. */
export type PackageSource = 'folder' | 'upload';

/** A problem of a package. An error prevents saving it. */
export interface PackageProblem {
  severity: 'error' | 'warning';
  /** Path of the file in the package; the name of the folder when the problem is not about a file. */
  file: string;
  /** Starts at 1. */
  line: number;
  message: string;
}

export interface FoundFile {
  /** Path within the package, with `/` as separator. */
  path: string;
  bytes: Uint8Array;
}

export interface ListedFile {
  path: string;
  /** `sha256:` and 64 hexadecimal digits, the digest of the bytes. */
  digest: string;
  /** In bytes. */
  size: number;
  mimeType: string;
}

/** The frontmatter of SKILL.md as JSON: all fields that its author wrote. */
export type Frontmatter = JsonObject & { name: string; description: string };

export interface CheckedPackage {
  name: string;
  frontmatter: Frontmatter;
  /** Equal for packages with the same files. */
  digest: string;
  /** Ordered by path. */
  files: readonly (ListedFile & FoundFile)[];
}

/** A package with its current version. */
export interface SkillPackage {
  name: string;
  version: number;
  enabled: boolean;
  source: PackageSource;
  updatedAt: Date;
  updatedBy: string | null; // null = the folder changed
  digest: string;
  frontmatter: Frontmatter;
  files: readonly ListedFile[];
}

export interface PackageVersion {
  name: string;
  version: number;
  digest: string;
  /** Number of files, and their total size in bytes. */
  files: number;
  bytes: number;
  source: PackageSource;
  savedAt: Date;
  savedBy: string | null; // null = the folder changed
}
