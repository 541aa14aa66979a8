import { Injectable } from '@nestjs/common';
import { type Check, checkPackage, type DigestedFile } from '../files/package-check.rules.js';
import { skillFileOf, withWritten, type WrittenFile, type WrittenSkill } from '../files/package-draft.rules.js';
import { type PackageProblem, SKILL_FILE, type SkillPackage } from '../files/package.js';
import type { SaveOutcome } from '../package.store.js';
import { InvalidPackage, PackageNotFound } from '../packages.errors.js';
import { SkillPackages } from '../skill-packages.service.js';

export type CheckedDraft = Check & {
  /** The version that the draft would replace; 0 = none. */
  basedOn: number;
};

export interface SavedDraft {
  name: string;
  outcome: SaveOutcome;
  warnings: PackageProblem[];
}

/** Makes versions of packages from texts; other files are kept from the current version. */
@Injectable()
export class PackageDrafts {
  constructor(private readonly packages: SkillPackages) {}

  /** Checks the package that results from a SKILL.md with these fields, and these files. */
  async check(skill: WrittenSkill, files: readonly WrittenFile[]): Promise<CheckedDraft> {
    const current = this.packages.find(skill.name);
    const written = { path: SKILL_FILE, text: skillFileOf(current?.frontmatter ?? null, skill) };
    const check = checkPackage(null, withWritten(await this.filesOf(current), [...files, written]));
    return { ...check, basedOn: current?.version ?? 0 };
  }

  /** Saves a checked draft. @throws InvalidPackage, PackageFromFolder, PackageConflict, TooManyPackages */
  async save({ checked, problems, basedOn }: CheckedDraft, by: string): Promise<SavedDraft> {
    if (!checked) throw new InvalidPackage(problems);
    const outcome = await this.packages.saveUpload(checked, by, { basedOn });
    return { name: checked.name, outcome, warnings: problems };
  }

  private async filesOf(one: SkillPackage | undefined): Promise<DigestedFile[]> {
    const files: DigestedFile[] = [];
    for (const { path, digest } of one?.files ?? []) {
      const bytes = one && (await this.packages.readFile(one, path));
      if (!bytes) throw new PackageNotFound(one?.name ?? '', `file ${path} any more: it was changed meanwhile`);
      files.push({ path, bytes, digest });
    }
    return files;
  }
}
