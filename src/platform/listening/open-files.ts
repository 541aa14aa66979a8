import { readFileSync } from 'node:fs';

/** Returns how many files and connections this process may have open; Infinity where the system does not say. */
export function readOpenFilesLimit(file = '/proc/self/limits'): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync(file, 'utf8')) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity; // only Linux has the file
  }
}
