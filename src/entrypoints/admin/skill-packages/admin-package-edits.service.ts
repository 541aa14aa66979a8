import { Injectable, StreamableFile } from '@nestjs/common';
import { PackageEdits, type SavedFile } from '../../../features/packages/editing/package-edits.service.js';
import { PackageConflict } from '../../../features/packages/packages.errors.js';
import { OutdatedChange } from '../api/versions/versions.errors.js';
import { AdminSkillPackages } from './admin-skill-packages.service.js';
import type { DraftReportView, PackageDraftBody, WrittenFileBody, WrittenPackageBody } from './package-edits.schema.js';
import type { FullPackageView } from './skill-packages.schema.js';

/** Serves the skill packages that administrators write. */
@Injectable()
export class AdminPackageEdits {
  constructor(
    private readonly edits: PackageEdits,
    private readonly packages: AdminSkillPackages,
  ) {}

  check({ name, skillFile, files }: PackageDraftBody): Promise<DraftReportView> {
    const sized = files.map(({ path, size }) => ({ path, size }));
    return this.edits.check({ name: name ?? null, skillFile, files: sized });
  }

  /** @throws InvalidPackage, PackageFromFolder, OutdatedChange, PackageNotFound, TooManyPackages */
  async save(name: string, { files }: WrittenPackageBody, by: string, basedOn?: number): Promise<FullPackageView> {
    try {
      return await this.packages.getWith(name, await this.edits.save(name, files.map(toSaved), by, basedOn));
    } catch (error) {
      throw error instanceof PackageConflict ? new OutdatedChange(error, await this.packages.get(name)) : error;
    }
  }

  /** @throws PackageNotFound */
  async archive(name: string, version: number): Promise<StreamableFile> {
    const disposition = `attachment; filename="${name}.zip"`;
    const { bytes } = await this.edits.archive(name, version, { isInFolder: true });
    return new StreamableFile(bytes, { type: 'application/zip', disposition });
  }
}

function toSaved({ path, kind, content }: WrittenFileBody): SavedFile {
  if (kind === 'digest') return { path, digest: content };
  // Copies, because a buffer that is sent to a thread must not be a slice of a larger one.
  return { path, bytes: Uint8Array.from(Buffer.from(content, kind === 'base64' ? 'base64' : 'utf8')) };
}
