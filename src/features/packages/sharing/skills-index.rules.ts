import { shortDescription } from '../files/package-text.rules.js';
import { type ListedFile, SKILL_FILE } from '../files/package.js';

/** The schema of Agent Skills Discovery 0.2.0 (cloudflare/agent-skills-discovery-rfc). */
const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';
/** Programs skip skills with a longer one. */
const LONGEST_DESCRIPTION = 1_024;
/** Characters with a special meaning in a URL, or that programs refuse as path traversal. */
const NOT_FETCHED = /[%?#\\]|\.\./;

export interface SharedSkill {
  name: string;
  description: string;
  files: readonly Pick<ListedFile, 'path'>[];
  /** Digest of SKILL.md if it is the only file, or else of the archive. */
  digest: string;
}

/** The index of Agent Skills Discovery 0.2.0. URLs are relative to it. */
export interface SkillsIndex {
  $schema: string;
  skills: { name: string; type: 'skill-md' | 'archive'; description: string; url: string; digest: string }[];
}

/** The index of version 0.1.0, whose files are fetched individually. */
export interface FilesIndex {
  skills: { name: string; description: string; files: string[] }[];
}

export const skillsIndexOf = (skills: readonly SharedSkill[]): SkillsIndex => ({
  $schema: SCHEMA,
  skills: skills.map(({ name, description, files, digest }) => ({
    name,
    ...(files.length === 1
      ? { type: 'skill-md', url: `${name}/${SKILL_FILE}` }
      : { type: 'archive', url: `${name}.zip` }),
    description: shortDescription(description, LONGEST_DESCRIPTION),
    digest,
  })),
});

/** Leaves out files that cannot be fetched by their paths: a single one makes programs refuse the index. */
export const filesIndexOf = (skills: readonly Omit<SharedSkill, 'digest'>[]): FilesIndex => ({
  skills: skills.map(({ name, description, files }) => ({
    name,
    description: shortDescription(description, LONGEST_DESCRIPTION),
    files: files.map(({ path }) => path).filter((path) => !NOT_FETCHED.test(path)),
  })),
});
