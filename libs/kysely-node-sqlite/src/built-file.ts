import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the path of a built file of this library: threads run these, also when the rest runs from the sources, as tests do. */
export function builtFile(name: string): string {
  const beside = join(import.meta.dirname, name);
  if (existsSync(beside)) return beside;
  return join(import.meta.dirname, '../../../dist/libs/kysely-node-sqlite/src', name);
}
