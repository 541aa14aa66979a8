import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version of this service, as its package.json says. */
export const VERSION = readVersion(import.meta.dirname);

// The nearest package.json is one or two folders further up when running from dist.
function readVersion(folder: string): string {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return readVersion(dirname(folder));
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
