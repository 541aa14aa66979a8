// Plain JavaScript that any Node can run, so that an old Node gets a clear message instead of a stack trace.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Whether this is a clone, with sources, and not a release. */
export const isClone = existsSync(join(root, 'src/main.ts'));

/** Runs a script of the service, after transpiling sources that have changed. */
export async function launch(script) {
  requireNode(26);
  if (isClone) await bringUpToDate();
  if (process.env.npm_lifecycle_event) stopWithParent();
  const { enableCompileCache, setSourceMapsSupport } = await import('node:module');
  // systemd names a folder that the service may write to when it may not write to its own.
  enableCompileCache(process.env.CACHE_DIRECTORY ?? join(root, 'node_modules/.cache/compile'));
  // Lets stack traces name the lines of the sources.
  setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
  await import(new URL(script, `file://${root}/dist/src/`).href);
}

function requireNode(major) {
  if (Number(process.versions.node.split('.')[0]) >= major) return;
  console.error(
    `Agent Service needs Node.js ${major}, and this is ${process.version}. Start it with "npm start": npm brings the right one (npm ci).`,
  );
  process.exit(1);
}

async function bringUpToDate() {
  try {
    const { transpile } = await import('./build/transpile.js');
    await transpile('src', 'libs');
  } catch (error) {
    const advice =
      error.code === 'ERR_MODULE_NOT_FOUND' ? ' To run from the sources, everything has to be installed: npm ci' : '';
    console.error(`Agent Service cannot be built: ${error.message}.${advice}`);
    process.exit(1);
  }
}

/** Stops this process when its parent is gone: npm passes signals on only to the shell between itself and this process. */
function stopWithParent() {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), 250).unref();
}
