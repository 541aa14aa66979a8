import type { JsonObject } from '#skill-kit';
import type { FileDifference } from '../../../features/packages/files/package-difference.rules.js';
import {
  type ListedFile,
  MOST_VERSIONS,
  type PackageProblem,
  type PackageSource,
} from '../../../features/packages/files/package.js';
import { Amount, AnyObject, Flag, Integer, OneOf, Parts, Text, Texts, Time } from '../api/fields.decorators.js';

/** As Base64, the largest package takes 22 MB. */
export const UPLOAD_MAX_BYTES = 24 * 1024 * 1024;
const SOURCES = ['folder', 'upload'];

export class PackageUploadBody {
  @Text({ min: 1, max: 300, example: 'release-notes.zip', says: 'Name of the file: .zip, .skill, or .md.' })
  file!: string;

  @Text({
    max: UPLOAD_MAX_BYTES,
    says: 'The bytes of the file, as Base64: a ZIP archive with a SKILL.md, or a SKILL.md.',
  })
  base64!: string;
}

export class PackageEnabledBody {
  @Flag() enabled!: boolean;
}

export class PackageVersionBody {
  @Integer({ min: 1, max: MOST_VERSIONS, says: 'Number of the version that clients get from now on.' })
  version!: number;
}

export class PackageFileQuery {
  @Text({ min: 1, max: 1_000, example: 'references/GUIDE.md', says: 'Path of the file in the package.' }) path!: string;
}

export class PackageProblemView implements PackageProblem {
  @OneOf(['error', 'warning']) severity!: 'error' | 'warning';
  @Text({ says: 'Path of the file in the package; or the folder.' }) file!: string;
  @Amount({ says: 'Line, from 1.' }) line!: number;
  @Text() message!: string;
}

class PackageFacts {
  @Text() name!: string;
  @Text() description!: string;
  @Texts({ says: 'From `metadata.tags`.' }) tags!: string[];
  @Amount({ says: 'Number of the version that clients get.' }) version!: number;
  @Flag() enabled!: boolean;
  @OneOf(SOURCES, { says: 'Where it comes from: a folder in SKILLS_DIR, or an upload.' }) source!: PackageSource;
  @Time() updatedAt!: Date;
  @Text({ nullable: true, says: 'Administrator who changed it; null = its folder changed.' }) updatedBy!: string | null;
}

export class PackageView extends PackageFacts {
  @Amount({ says: 'Number of files.' }) files!: number;
  @Amount({ says: 'Size of the files together.' }) bytes!: number;
}

export class PackageFolderView {
  @Text({ example: 'our-repo/skills/release', says: 'Place of the folder in SKILLS_DIR.' }) place!: string;
  @Text({ says: 'Name of the package.' }) name!: string;
  @Parts(PackageProblemView) problems!: PackageProblem[];
}

export class RemovedPackageView {
  @Text() name!: string;
  @Amount() version!: number;
  @OneOf(SOURCES) source!: PackageSource;
  @Time() removedAt!: Date;
  @Text({ nullable: true, says: 'Administrator who removed it; null = its folder is gone.' }) removedBy!: string | null;
}

export class PackageListView {
  @Parts(PackageView) items!: PackageView[];
  @Parts(PackageFolderView, { says: 'Folders with mistakes. Their packages keep the last valid version.' })
  brokenFolders!: PackageFolderView[];
  @Parts(RemovedPackageView, { says: 'Packages that can be restored, for 30 days.' }) removed!: RemovedPackageView[];
}

class ListedFileView implements ListedFile {
  @Text() path!: string;
  @Text({ example: 'sha256:9f86d0…' }) digest!: string;
  @Amount({ says: 'In bytes.' }) size!: number;
  @Text() mimeType!: string;
}

export class PackageVersionView {
  @Amount() version!: number;
  @Text() digest!: string;
  @Amount() files!: number;
  @Amount() bytes!: number;
  @OneOf(SOURCES) source!: PackageSource;
  @Time() savedAt!: Date;
  @Text({ nullable: true }) savedBy!: string | null;
}

export class FullPackageView extends PackageFacts {
  @Flag({ says: 'Whether its folder is in SKILLS_DIR, so that it can be removed only there.' }) isInFolder!: boolean;
  @AnyObject({ says: 'Frontmatter of SKILL.md, with all fields.' }) frontmatter!: JsonObject;
  @Text({ says: 'Instructions: SKILL.md without the frontmatter.' }) instructions!: string;
  @Text() digest!: string;
  @Amount({ says: 'How often clients used it in the last 30 days.' }) uses!: number;
  @Time({ nullable: true, says: 'The hour in which a client used it last; null = not in the last 30 days.' })
  lastUsedAt!: Date | null;
  @Parts(ListedFileView) files!: ListedFile[];
  @Parts(PackageVersionView, { says: 'Versions that are kept, the last saved first.' }) versions!: PackageVersionView[];
  @Parts(PackageProblemView, { says: 'What is wrong with its folder, or with what was just uploaded.' })
  problems!: PackageProblem[];
}

export class PackageFileView {
  @Text() path!: string;
  @Text({ nullable: true, says: 'The text; null when the file is none, or has more than 500,000 bytes.' })
  text!: string | null;
}

export class FileDifferenceView implements FileDifference {
  @Text() path!: string;
  @OneOf(['added', 'removed', 'changed']) change!: FileDifference['change'];
  @Text({ nullable: true, says: 'Text before; null when there is none, or it is not shown.' }) before!: string | null;
  @Text({ nullable: true, says: 'Text after; null when there is none, or it is not shown.' }) after!: string | null;
}

export class PackageComparisonView {
  @Parts(FileDifferenceView, { says: 'The files that differ. The texts of the first 20 are shown.' })
  files!: FileDifferenceView[];
}
