// Plain JavaScript that any Node can run.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useOwnNode } from './own-node.js';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Whether this is a clone, with sources, and not a release. */
export const isClone = existsSync(join(root, 'src/main.ts'));
export const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Runs a script of the service; in a clone, after installing packages that are missing and transpiling sources that have changed. */
export async function launch(script) {
  if (isClone) await (await import('./build/ready.js')).installMissing();
  await useOwnNode(root);
  if (isClone) await (await import('./build/ready.js')).bringUpToDate();
  if (process.env.npm_lifecycle_event) stopWithParent();
  const { enableCompileCache, setSourceMapsSupport } = await import('node:module');
  enableCompileCache(cacheFolder());
  // Lets stack traces name the lines of the sources; a release may lie in node_modules.
  setSourceMapsSupport(true, { nodeModules: !isClone, generatedCode: false });
  await import(new URL(script, `file://${root}/dist/src/`).href);
}

/** Where compiled code is kept, so that the next start takes less. Without such a place, the service runs, too. */
function cacheFolder() {
  // systemd names a folder that the service may write to when it may not write to its own.
  const { CACHE_DIRECTORY, DATA_DIR = './data' } = process.env;
  return CACHE_DIRECTORY ?? (isClone ? join(root, 'node_modules/.cache/compile') : join(DATA_DIR, 'cache'));
}

/** Stops this process when its parent is gone: npm passes signals on only to the shell between itself and this process. */
function stopWithParent() {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), 250).unref();
}
