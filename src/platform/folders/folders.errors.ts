import { AppError } from '../errors/app-error.js';

/** Thrown when a folder of the operator exists, but cannot be read. */
export class FolderNotReadable extends AppError {
  constructor(path: string, reason: string) {
    super(
      'unavailable',
      'folders.not_readable',
      `${path} can't be read (${reason}), and nothing of it is loaded: it must be a folder that this user may read`,
    );
  }
}
