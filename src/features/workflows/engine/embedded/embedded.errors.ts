import { dirname } from 'node:path';
import { AppError } from '../../../../platform/errors/app-error.js';

/** Thrown when another process executes runs on the same embedded database. */
export class DataDirInUse extends AppError {
  constructor(lockFile: string) {
    super(
      'conflict',
      'workflows.data_dir_in_use',
      `another process of the service uses the data folder ${dirname(lockFile)}: stop it, or set DATA_DIR to another ` +
        'folder. Several replicas need PostgreSQL: set DATABASE_URL.',
    );
  }
}
