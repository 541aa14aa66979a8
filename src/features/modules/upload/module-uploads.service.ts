import { Injectable } from '@nestjs/common';
import { GuardedThread, ThreadOwner } from '../../../platform/threads/guarded-thread.js';
import { MOST_CODE, type SkillModule } from '../declared/module.js';
import { InvalidModule } from '../modules.errors.js';
import { SkillModules } from '../modules.service.js';
import type { ArchiveJobs } from './archives.worker.js';

/** The thread that unpacks archives, because their content may not be what they declare. */
const ARCHIVE_READER = {
  name: 'module-archive-reader',
  entry: 'features/modules/upload/archives.worker',
  heapMegabytes: 64,
};

/** A file with the code of a module, or a ZIP archive of its folder. */
interface ModuleUpload {
  /** For example `weather.ts` or `weather.zip`. */
  file: string;
  code?: string | undefined;
  /** Content of an archive. */
  base64?: string | undefined;
}

@Injectable()
export class ModuleUploads extends ThreadOwner {
  protected readonly thread = new GuardedThread<ArchiveJobs>(ARCHIVE_READER);

  constructor(private readonly modules: SkillModules) {
    super();
  }

  /** @throws InvalidModuleFile, InvalidModule, ModuleNotChecked, ModuleFromFolder, TooManyModules, JobAborted, ThreadStopped */
  async save({ file, code = '', base64 = '' }: ModuleUpload, by: string): Promise<SkillModule> {
    if (!/\.zip$/i.test(file)) return this.modules.saveUpload(file, { [file]: code }, by);
    const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
    if (bytes.length > MOST_CODE) throw new InvalidModule(file, [`it has more than ${MOST_CODE} bytes`]);
    const read = await this.thread.run('readArchive', { name: file, bytes });
    if ('problem' in read) throw new InvalidModule(file, [read.problem]);
    return this.modules.saveUpload(read.file, read.files, by);
  }
}
