import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder with the package.json of this service, whether it runs from src or from dist. */
export const PROJECT_ROOT = nearestPackage(import.meta.dirname);

function nearestPackage(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : nearestPackage(dirname(folder));
}
