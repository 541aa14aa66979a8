import type { Schemas } from '../../../api/client';
import type { FullPackage } from '../use-packages';

export const SKILL_FILE = 'SKILL.md';

/** A file of an edited package: `content` is a text, bytes as Base64, or the digest of a kept file. */
export type DraftFile = Schemas['WrittenFileBody'] & {
  /** In bytes. */
  size: number;
};

/** An edited package: plain data. */
export interface PackageDraft {
  /** Text of SKILL.md. */
  skillFile: string;
  /** The other files, ordered by path. */
  files: readonly DraftFile[];
}

/** The initial draft of a new package. */
export const FIRST_DRAFT: PackageDraft = {
  skillFile: `---
name: new-skill
description: What this skill does, and when to use it.
---

1. The first step.
2. The second step.
`,
  files: [],
};

/** Returns the draft of an existing package, with its files unchanged. */
export function toDraft({ files }: Pick<FullPackage, 'files'>, skillFile: string): PackageDraft {
  const others = files.filter(({ path }) => path !== SKILL_FILE);
  return {
    skillFile,
    files: sorted(others.map(({ path, size, digest }) => ({ path, size, kind: 'digest', content: digest }))),
  };
}

/** Returns the request for saving a draft. */
export const toWritten = ({ skillFile, files }: PackageDraft): Schemas['WrittenPackageBody'] => ({
  files: [
    { path: SKILL_FILE, kind: 'text', content: skillFile },
    ...files.map(({ path, kind, content }) => ({ path, kind, content })),
  ],
});

/** Returns a file with this text. */
export const textFile = (path: string, content: string): DraftFile => ({
  path,
  kind: 'text',
  content,
  size: new TextEncoder().encode(content).length,
});

/** Returns a draft with added files, which replace those with the same paths. SKILL.md replaces the text. */
export function withFiles({ skillFile, files }: PackageDraft, added: readonly DraftFile[]): PackageDraft {
  const text = added.find(({ path, kind }) => path === SKILL_FILE && kind === 'text')?.content;
  const all = new Map([...files, ...added].map((file) => [file.path, file]));
  all.delete(SKILL_FILE);
  return { skillFile: text ?? skillFile, files: sorted([...all.values()]) };
}

export const withoutFile = ({ skillFile, files }: PackageDraft, path: string): PackageDraft => ({
  skillFile,
  files: files.filter((file) => file.path !== path),
});

export const withRenamed = ({ skillFile, files }: PackageDraft, from: string, to: string): PackageDraft => ({
  skillFile,
  files: sorted(files.map((file) => (file.path === from ? { ...file, path: to } : file))),
});

/** Returns why a file cannot have this path; null when it can. The check reports other problems. */
export function pathObstacle({ files }: PackageDraft, path: string): string | null {
  if (path.trim() === '') return 'Write the path of the file, such as references/GUIDE.md.';
  return path === SKILL_FILE || files.some((file) => file.path === path) ? `There is a file ${path} already.` : null;
}

/** Returns a draft as one text, for comparing it with another. */
export const asText = ({ skillFile, files }: PackageDraft): string =>
  [
    skillFile,
    ...files.map(({ path, kind, content }) => `${path}\n${kind === 'base64' ? 'a new file' : content}\n`),
  ].join('\n');

const sorted = (files: DraftFile[]): DraftFile[] => files.sort((one, other) => (one.path < other.path ? -1 : 1));
