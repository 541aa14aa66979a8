import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder with the package.json of this service, whether it runs from src or from dist. */
export const PROJECT_ROOT = nearestPackage(import.meta.dirname);

/** True when the service runs in a clone of its repository, where npm runs its commands; false when it runs as a package. */
export const IS_CLONE = existsSync(join(PROJECT_ROOT, 'src/main.ts'));

/** Returns the command that installs an optional part of the service. */
export function commandToAdd(part: 'embeddings' | 'restate'): string {
  return IS_CLONE ? `npm run ${part}:install` : `npx agent-service add ${part}`;
}

function nearestPackage(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : nearestPackage(dirname(folder));
}
