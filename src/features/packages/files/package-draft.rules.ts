import { stringify } from 'yaml';
import { digestOf, type DigestedFile } from './package-check.rules.js';
import type { Frontmatter } from './package.js';

/** The edited fields of a package. */
export interface WrittenSkill {
  name: string;
  description: string;
  instructions: string;
}

export interface WrittenFile {
  path: string;
  text: string;
}

/** Returns the text of a SKILL.md. @param before its previous frontmatter, whose other fields are kept; null = a new package */
export function skillFileOf(before: Frontmatter | null, { name, description, instructions }: WrittenSkill): string {
  const fields = stringify({ ...before, name, description }, { lineWidth: 0, aliasDuplicateObjects: false });
  return `---\n${fields}---\n\n${instructions.trim()}\n`;
}

/** Returns the files with edited ones replacing those with the same paths. */
export function withWritten(files: readonly DigestedFile[], written: readonly WrittenFile[]): DigestedFile[] {
  const all = new Map(files.map((file) => [file.path, file]));
  for (const { path, text } of written) {
    const bytes = Buffer.from(text);
    all.set(path, { path, bytes, digest: digestOf(bytes) });
  }
  return [...all.values()];
}
