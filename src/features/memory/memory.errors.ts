import { AppError } from '../../platform/errors/app-error.js';
import type { MemoryEntry } from './memory-entry.js';

export class MemoryNotFound extends AppError {
  constructor(namespace: string, key: string) {
    super(
      'not_found',
      'memory.entry_not_found',
      `nothing is remembered as ${JSON.stringify(key)} in ${JSON.stringify(namespace)}: search for it with memory_search`,
    );
  }
}

export class MemoryConflict extends AppError {
  /** @param basedOn 0 = the caller knew of no such entry */
  constructor(
    readonly present: MemoryEntry,
    basedOn: number,
  ) {
    const { namespace, key, version, client } = present;
    const change = basedOn === 0 ? 'exists already' : `has changed since version ${basedOn}`;
    super(
      'outdated',
      'memory.entry_moved_on',
      `${JSON.stringify(key)} in ${JSON.stringify(namespace)} ${change}: it is version ${version} now, saved by ` +
        `${JSON.stringify(client)}. Nothing was changed. Read it again, and base the change on that version.`,
    );
  }
}

export class InvalidMemory extends AppError {
  constructor(path: string, message: string) {
    super('invalid', 'memory.invalid_entry', `${path} ${message}`, { fields: [{ path, message }] });
  }
}
