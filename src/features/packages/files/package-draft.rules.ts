import { stringify } from 'yaml';
import { digestOf, type DigestedFile } from './package-check.rules.js';
import type { Frontmatter } from './package.js';

/** What somebody writes of a package in fields. */
export interface WrittenSkill {
  name: string;
  description: string;
  instructions: string;
}

/** A file of a package as it was written. */
export interface WrittenFile {
  /** Within the package. */
  path: string;
  text: string;
}

/** Returns the text of a SKILL.md. @param before its frontmatter until now, of which the other fields stay; null = it is new */
export function skillFileOf(before: Frontmatter | null, { name, description, instructions }: WrittenSkill): string {
  const fields = stringify({ ...before, name, description }, { lineWidth: 0, aliasDuplicateObjects: false });
  return `---\n${fields}---\n\n${instructions.trim()}\n`;
}

/** Returns files with others in place of those with the same paths. */
export function withWritten(files: readonly DigestedFile[], written: readonly WrittenFile[]): DigestedFile[] {
  const all = new Map(files.map((file) => [file.path, file]));
  for (const { path, text } of written) {
    const bytes = Buffer.from(text);
    all.set(path, { path, bytes, digest: digestOf(bytes) });
  }
  return [...all.values()];
}
