import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder with the package.json of this service, whether it runs from src or from dist. */
export const PROJECT_ROOT = nearestPackage(import.meta.dirname);

/** Returns the command that installs an optional part of the service, which lies in a folder of this name. */
export function commandToAdd(part: 'embeddings' | 'restate'): string {
  const isClone = existsSync(join(PROJECT_ROOT, 'src/main.ts'));
  return isClone ? `npm run ${part}:install` : `npx agent-service add ${part}`;
}

function nearestPackage(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : nearestPackage(dirname(folder));
}
