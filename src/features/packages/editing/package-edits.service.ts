import { Injectable } from '@nestjs/common';
import { ROOM_FOR_PACKAGES } from '../../../core/skills/instructions.js';
import { GuardedThread, ThreadOwner } from '../../../platform/threads/guarded-thread.js';
import { limitProblems } from '../files/package-check.rules.js';
import { type FoundFile, type Frontmatter, type PackageProblem, SKILL_FILE } from '../files/package.js';
import { PackageFolders } from '../folder/package-folders.service.js';
import type { StoredFile } from '../package-lists.store.js';
import { PackageUses } from '../package-uses.service.js';
import { InvalidPackage, PackageNotFound } from '../packages.errors.js';
import { SkillPackages } from '../skill-packages.service.js';
import type { EditJobs } from './edits.worker.js';
import { type PackagePreview, previewOf } from './package-preview.rules.js';
import type { PackageDraft, PackedVersion } from './written-package.rules.js';

/** The thread that checks drafts, and packs downloads. */
const EDIT_CHECKER = { name: 'package-checker', entry: 'features/packages/editing/edits.worker', heapMegabytes: 192 };

/** A file of a package to save: its bytes, or the digest of a current or earlier file of the package. */
export type SavedFile = FoundFile | { path: string; digest: string };

export interface DraftReport {
  /** The name in SKILL.md; null = none. */
  name: string | null;
  problems: PackageProblem[];
  /** null when there are errors. */
  preview: PackagePreview | null;
}

/** Checks packages while they are edited, saves them, and returns them as archives. */
@Injectable()
export class PackageEdits extends ThreadOwner {
  protected readonly thread = new GuardedThread<EditJobs>(EDIT_CHECKER);

  constructor(
    private readonly packages: SkillPackages,
    private readonly folders: PackageFolders,
    private readonly uses: PackageUses,
  ) {
    super();
  }

  /** Returns the problems of a draft, and a preview of what programs would get; saves nothing. @throws JobAborted, ThreadStopped */
  async check(draft: PackageDraft): Promise<DraftReport> {
    const judged = await this.thread.run('judgeDraft', draft);
    const { name, nameLine } = judged;
    const taken = draft.name === null && name !== null ? this.takenProblem(name, nameLine) : null;
    const problems = taken ? [taken, ...judged.problems] : judged.problems;
    const isRight = judged.frontmatter !== null && taken === null;
    return { name, problems, preview: isRight && judged.frontmatter ? this.preview(judged.frontmatter, draft) : null };
  }

  /**
   * Saves an edited package: creates it, or a new version of it.
   * @param basedOn the version that was edited; 0 = there must be none; undefined = any
   * @throws InvalidPackage, PackageFromFolder, PackageConflict, TooManyPackages, JobAborted, ThreadStopped
   */
  async save(name: string, files: readonly SavedFile[], by: string, basedOn?: number): Promise<PackageProblem[]> {
    await this.folders.assertNotFromFolder(name);
    const written = await this.withBytes(name, files);
    const { checked, problems } = await this.thread.run('checkWritten', { name, files: written });
    if (!checked) throw new InvalidPackage(problems);
    await this.packages.saveUpload(checked, by, { basedOn });
    return problems;
  }

  /**
   * Returns a version as a ZIP archive.
   * @param isInFolder true when the files are in a folder with the name of the package
   * @throws PackageNotFound, JobAborted, ThreadStopped
   */
  async archive(name: string, version: number, { isInFolder }: { isInFolder: boolean }): Promise<PackedVersion> {
    const files: FoundFile[] = [];
    for (const { path } of await this.packages.listFiles(name, version)) {
      const bytes = await this.packages.readFile({ name, version }, path);
      if (!bytes) throw new PackageNotFound(name, `version ${version} any more`);
      files.push({ path, bytes });
    }
    return this.thread.run('packVersion', { prefix: isInFolder ? `${name}/` : '', files });
  }

  private takenProblem(name: string, line: number): PackageProblem | null {
    const there = this.packages.find(name);
    if (!there) return null;
    const where = there.source === 'folder' ? 'comes from a folder in SKILLS_DIR' : 'is there already: edit that one';
    return {
      severity: 'error',
      file: SKILL_FILE,
      line,
      message: `a skill package ${name} ${where}, or give this one another name`,
    };
  }

  private preview(frontmatter: Frontmatter, { skillFile, files }: PackageDraft): PackagePreview {
    const own = { name: frontmatter.name, description: frontmatter.description };
    const others = this.packages.listEnabled().filter(({ name }) => name !== own.name);
    const named = others.map(({ name, frontmatter: { description } }) => ({ name, description }));
    const listed = this.uses.sorted([...named, own].sort((one, other) => (one.name < other.name ? -1 : 1)));
    const all = [{ path: SKILL_FILE, size: Buffer.byteLength(skillFile) }, ...files];
    return previewOf({ frontmatter, skillFile, files: all, listed, room: ROOM_FOR_PACKAGES });
  }

  /** Reads the kept files, unless all files together are too large. */
  private async withBytes(name: string, files: readonly SavedFile[]): Promise<FoundFile[]> {
    const digests = files.flatMap((file) => ('digest' in file ? [file.digest] : []));
    const known = await this.packages.findFiles(name, digests);
    const missing = files.flatMap((file) =>
      'digest' in file && !known.has(file.digest) ? [missingProblem(file.path)] : [],
    );
    const sizes = files.map((file) => ({
      size: 'digest' in file ? (known.get(file.digest)?.size ?? 0) : file.bytes.length,
    }));
    const problems = [...limitProblems('the package', sizes), ...missing];
    if (problems.length > 0) throw new InvalidPackage(problems);
    const written: FoundFile[] = [];
    for (const file of files)
      written.push('digest' in file ? await this.kept(name, file.path, known.get(file.digest)) : file);
    return written;
  }

  private async kept(name: string, path: string, stored: StoredFile | undefined): Promise<FoundFile> {
    const bytes = stored && (await this.packages.readFile({ name, version: stored.version }, stored.path));
    if (!bytes) throw new InvalidPackage([missingProblem(path)]);
    return { path, bytes };
  }
}

const missingProblem = (path: string): PackageProblem => ({
  severity: 'error',
  file: path,
  line: 1,
  message: 'is of a version that is no longer kept: add the file again',
});
