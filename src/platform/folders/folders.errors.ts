import { AppError } from '../errors/app-error.js';

/** Thrown when a folder of the operator exists, but cannot be read. */
export class FolderNotReadable extends AppError {
  constructor(path: string, reason: string) {
    super(
      'unavailable',
      'folders.not_readable',
      `${path} can't be read (${reason}), so its changes are not loaded: ${adviceOn(reason)}`,
    );
  }
}

const adviceOn = (reason: string): string =>
  reason === 'EMFILE' || reason === 'ENFILE'
    ? 'too many files and connections are open, and new clients are refused, too: raise the limit (LimitNOFILE, ulimit -n)'
    : 'it must be a folder that this user may read';
