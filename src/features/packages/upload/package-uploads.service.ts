import { Injectable } from '@nestjs/common';
import { GuardedThread, ThreadOwner } from '../../../platform/threads/guarded-thread.js';
import { PackageFolders } from '../folder/package-folders.service.js';
import type { PackageProblem } from '../files/package.js';
import type { SaveOutcome } from '../package.store.js';
import { InvalidPackage } from '../packages.errors.js';
import { SkillPackages } from '../skill-packages.service.js';
import type { PackageUpload } from './package-upload.rules.js';
import type { UploadJobs } from './uploads.worker.js';

const UPLOAD_READER = {
  name: 'upload-reader',
  entry: 'features/packages/upload/uploads.worker',
  heapMegabytes: 192,
};

interface SavedUpload {
  name: string;
  outcome: SaveOutcome;
  warnings: PackageProblem[];
}

@Injectable()
export class PackageUploads extends ThreadOwner {
  protected readonly thread = new GuardedThread<UploadJobs>(UPLOAD_READER);

  constructor(
    private readonly packages: SkillPackages,
    private readonly folders: PackageFolders,
  ) {
    super();
  }

  /** @throws InvalidPackage, PackageFromFolder, TooManyPackages, JobAborted, ThreadStopped */
  async save(upload: PackageUpload, by: string): Promise<SavedUpload> {
    const { checked, problems } = await this.thread.run('checkUpload', upload);
    if (!checked) throw new InvalidPackage(problems);
    await this.folders.assertNotFromFolder(checked.name);
    return { name: checked.name, outcome: await this.packages.saveUpload(checked, by), warnings: problems };
  }

  /** Removes a package; it can be restored. @throws PackageFromFolder when its folder would restore it */
  async remove(name: string, by: string): Promise<void> {
    await this.folders.assertNotFromFolder(name);
    await this.packages.remove(name, by);
  }
}
