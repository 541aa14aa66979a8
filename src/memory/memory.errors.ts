import { AppError } from '../errors/app-error.js';

/** Thrown when nothing is remembered under a key. */
export class MemoryNotFound extends AppError {
  constructor(namespace: string, key: string) {
    super(
      'not_found',
      'memory.entry_not_found',
      `nothing is remembered as ${JSON.stringify(key)} in ${JSON.stringify(namespace)}: search for it with memory_search`,
    );
  }
}

/** Thrown when an entry can't be saved as it is. */
export class InvalidMemory extends AppError {
  constructor(path: string, message: string) {
    super('invalid', 'memory.invalid_entry', `${path} ${message}`, { fields: [{ path, message }] });
  }
}
