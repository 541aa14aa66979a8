import { Injectable, StreamableFile } from '@nestjs/common';
import { PackageEdits, type SavedFile } from '../../../features/packages/editing/package-edits.service.js';
import { isTextual, textOf } from '../../../features/packages/files/package-check.rules.js';
import { differencesOf } from '../../../features/packages/files/package-difference.rules.js';
import type { PackageProblem, SkillPackage } from '../../../features/packages/files/package.js';
import { factsOf } from '../../../features/packages/files/skill-file.rules.js';
import { PackageFolders } from '../../../features/packages/folder/package-folders.service.js';
import { PackageUses } from '../../../features/packages/package-uses.service.js';
import { PackageConflict, PackageNotFound } from '../../../features/packages/packages.errors.js';
import { SkillPackages } from '../../../features/packages/skill-packages.service.js';
import { PackageUploads } from '../../../features/packages/upload/package-uploads.service.js';
import { OutdatedChange } from '../api/versions/versions.errors.js';
import type { DraftReportView, PackageDraftBody, WrittenFileBody, WrittenPackageBody } from './package-edits.schema.js';
import type {
  FullPackageView,
  PackageComparisonView,
  PackageFileView,
  PackageListView,
  PackageUploadBody,
} from './skill-packages.schema.js';

/** In bytes. */
const LONGEST_SHOWN = 500_000;
export const MOST_COMPARED = 20;

@Injectable()
export class AdminSkillPackages {
  constructor(
    private readonly packages: SkillPackages,
    private readonly folders: PackageFolders,
    private readonly uploads: PackageUploads,
    private readonly uses: PackageUses,
    private readonly edits: PackageEdits,
  ) {}

  async list(): Promise<PackageListView> {
    const items = this.packages.list().map((one) => ({
      ...toFacts(one),
      files: one.files.length,
      bytes: one.files.reduce((sum, { size }) => sum + size, 0),
    }));
    const brokenFolders = this.folders.list().filter(({ problems }) => problems.length > 0);
    return { items, brokenFolders, removed: await this.packages.listRemoved() };
  }

  /** @throws PackageNotFound */
  async get(name: string): Promise<FullPackageView> {
    const found = this.packages.get(name);
    const problems = this.folders.list().flatMap((folder) => (folder.name === name ? folder.problems : []));
    return this.toFull(found, found.source === 'folder' ? problems : []);
  }

  /** @throws InvalidPackage, PackageFromFolder, TooManyPackages */
  async upload({ file, base64 }: PackageUploadBody, by: string): Promise<FullPackageView> {
    const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
    const { name, warnings } = await this.uploads.save({ file, bytes }, by);
    return this.getWith(name, warnings);
  }

  check({ name, skillFile, files }: PackageDraftBody): Promise<DraftReportView> {
    const sized = files.map(({ path, size }) => ({ path, size }));
    return this.edits.check({ name: name ?? null, skillFile, files: sized });
  }

  /** @throws InvalidPackage, PackageFromFolder, OutdatedChange, PackageNotFound, TooManyPackages */
  async save(name: string, { files }: WrittenPackageBody, by: string, basedOn?: number): Promise<FullPackageView> {
    try {
      return await this.getWith(name, await this.edits.save(name, files.map(toSaved), by, basedOn));
    } catch (error) {
      throw error instanceof PackageConflict ? new OutdatedChange(error, await this.get(name)) : error;
    }
  }

  /** @throws PackageNotFound */
  async archive(name: string, version: number): Promise<StreamableFile> {
    const disposition = `attachment; filename="${name}.zip"`;
    const { bytes } = await this.edits.archive(name, version, { isInFolder: true });
    return new StreamableFile(bytes, { type: 'application/zip', disposition });
  }

  /** Returns a package with these problems. @throws PackageNotFound */
  private getWith(name: string, problems: PackageProblem[]): Promise<FullPackageView> {
    return this.toFull(this.packages.get(name), problems);
  }

  remove(name: string, by: string): Promise<void> {
    return this.uploads.remove(name, by);
  }

  async restore(name: string, by: string): Promise<FullPackageView> {
    await this.packages.restore(name, by);
    return this.get(name);
  }

  async setEnabled(name: string, enabled: boolean, by: string): Promise<FullPackageView> {
    await this.packages.setEnabled(name, enabled, by);
    return this.get(name);
  }

  async setCurrent(name: string, version: number, by: string): Promise<FullPackageView> {
    await this.packages.setCurrent(name, version, by);
    return this.get(name);
  }

  /** Returns a file of a version. @throws PackageNotFound */
  async file(name: string, version: number, path: string): Promise<PackageFileView> {
    const bytes = await this.packages.readFile({ name, version }, path);
    if (!bytes) throw new PackageNotFound(name, `file ${path} in version ${version}`);
    return { path, text: shown(bytes) };
  }

  /** Returns the files that differ between two versions, and how they differ. @throws PackageNotFound */
  async compare(name: string, from: number, to: number): Promise<PackageComparisonView> {
    const [before, after] = [await this.packages.listFiles(name, from), await this.packages.listFiles(name, to)];
    const files: PackageComparisonView['files'] = [];
    for (const [index, { path, change }] of differencesOf(before, after).entries()) {
      const textIn = async (version: number) =>
        index < MOST_COMPARED ? shown(await this.packages.readFile({ name, version }, path)) : null;
      files.push({ path, change, before: await textIn(from), after: await textIn(to) });
    }
    return { files };
  }

  private async toFull(one: SkillPackage, problems: PackageProblem[]): Promise<FullPackageView> {
    const versions = await this.packages.listVersions(one.name);
    const used = await this.uses.find(one.name);
    return {
      ...toFacts(one),
      isInFolder: one.source === 'folder' && (await this.folders.has(one.name)),
      frontmatter: one.frontmatter,
      instructions: await this.packages.instructionsOf(one),
      digest: one.digest,
      uses: used?.uses ?? 0,
      lastUsedAt: used?.lastHour ?? null,
      files: [...one.files],
      versions: versions.map(({ name: _name, ...version }) => version),
      problems,
    };
  }
}

const toFacts = ({ name, version, enabled, source, updatedAt, updatedBy, frontmatter }: SkillPackage) => ({
  ...{ name, version, enabled, source, updatedAt, updatedBy },
  description: frontmatter.description,
  tags: factsOf(frontmatter).tags,
});

function toSaved({ path, kind, content }: WrittenFileBody): SavedFile {
  if (kind === 'digest') return { path, digest: content };
  // Copies, because a buffer that is sent to a thread must not be a slice of a larger one.
  return { path, bytes: Uint8Array.from(Buffer.from(content, kind === 'base64' ? 'base64' : 'utf8')) };
}

/** Returns the text of a file; null when it is none, or too long to be shown. */
export const shown = (bytes: Uint8Array | undefined): string | null =>
  bytes && bytes.length <= LONGEST_SHOWN && isTextual(bytes) ? textOf(bytes) : null;
