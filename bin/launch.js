// Plain JavaScript that any Node can run.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { useOwnNode } from './own-node.js';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Whether this is a clone, with sources, and not a release. */
export const isClone = existsSync(join(root, 'src/main.ts'));
export const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Runs a script of the service; in a clone, after installing packages that are missing and transpiling sources that have changed. */
export async function launch(script) {
  if (isClone) await (await import('./build/ready.js')).readyToRun();
  await useOwnNode(root);
  if (isClone) await (await import('./build/ready.js')).bringUpToDate();
  if (process.env.npm_lifecycle_event) stopWithParent();
  const { enableCompileCache, setSourceMapsSupport } = await import('node:module');
  const cache = cacheFolder(script === 'main.js');
  if (cache) enableCompileCache(cache);
  // Lets stack traces name the lines of the sources; a release may lie in node_modules.
  setSourceMapsSupport(true, { nodeModules: !isClone, generatedCode: false });
  await import(pathToFileURL(join(root, 'dist/src', script)).href);
}

/** Returns the folder for compiled code, which makes the next start faster; undefined = none. */
function cacheFolder(isStart) {
  if (isClone) return join(root, 'dist/.compiled');
  // systemd sets CACHE_DIRECTORY for services that may not write to their own folder.
  const { CACHE_DIRECTORY, DATA_DIR } = process.env;
  return CACHE_DIRECTORY ?? (DATA_DIR && isDataFolder(DATA_DIR, isStart) ? join(DATA_DIR, 'cache') : undefined);
}

/** Returns whether a folder belongs to this service. A start creates it if it is missing; a command may have a mistyped one. */
function isDataFolder(folder, isStart) {
  try {
    if (isStart && mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) return true;
    return existsSync(join(folder, 'agent-service.db'));
  } catch {
    return false; // The service will report the problem.
  }
}

/** Stops this process when its parent is gone: npm passes signals on only to the shell between itself and this process. */
function stopWithParent() {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), 250).unref();
}
