// Builds the pages of the administration (libs/admin-ui/dist) with Vite.
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { filesIn, ROOT } from './files.js';
import { isInstalled, npmCi, run } from './packages.js';

const ADMIN_UI = 'libs/admin-ui';
/** Exit code of a build that was asked to stop; a failed build exits with 1. */
const STOPPED = 130;
const BUILT = join(ROOT, ADMIN_UI, 'dist');

/** Returns whether the pages are missing or older than their sources. In a release, which has no sources, they never are. */
export function isAdminUiOutdated() {
  const sources = filesIn(ADMIN_UI).filter((file) => !/[\\/]dist[\\/]|\.spec\.ts$|\.md$/.test(file));
  if (!sources.some((file) => file.endsWith('index.html'))) return false;
  const index = join(BUILT, 'index.html');
  const builtAt = existsSync(index) ? statSync(index).mtimeMs : 0;
  return sources.some((file) => statSync(join(ROOT, file)).mtimeMs > builtAt);
}

/**
 * Builds the pages. It uses their packages (95 MB) if they are installed; otherwise it installs them for the build and removes them
 * afterwards. Several builds may run at once, because each has a folder of its own.
 * @throws Error with what npm or Vite said
 */
export async function buildAdminUi() {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'dist/admin-ui-'));
  let child;
  const cleanUp = () => {
    child?.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  const stop = () => {
    cleanUp();
    process.exit(STOPPED);
  };
  // The process that started this one has gone, or asks it to stop.
  for (const event of ['disconnect', 'SIGINT', 'SIGTERM']) process.once(event, stop);
  const runStep = (step) => {
    child = step.child;
    return step.done;
  };
  try {
    const source = isInstalled(ADMIN_UI) ? join(ROOT, ADMIN_UI) : copySource(join(folder, 'source'));
    if (!isInstalled(relative(ROOT, source))) await runStep(npmCi(source));
    const vite = [join(source, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', join(folder, 'built')];
    await runStep(run(process.execPath, vite, { cwd: source, env: { ...process.env, NODE_ENV: 'production' } }));
    putInPlace(join(folder, 'built'), join(folder, 'before'));
  } finally {
    cleanUp();
    for (const event of ['disconnect', 'SIGINT', 'SIGTERM']) process.off(event, stop);
  }
}

function copySource(folder) {
  const isSource = (path) => !/^(node_modules|dist)$/.test(relative(join(ROOT, ADMIN_UI), path));
  cpSync(join(ROOT, ADMIN_UI), folder, { recursive: true, filter: isSource });
  return folder;
}

function putInPlace(built, before) {
  if (existsSync(BUILT)) renameSync(BUILT, before);
  try {
    renameSync(built, BUILT);
  } catch (error) {
    // Another build of the same sources has just finished.
    if (!existsSync(join(BUILT, 'index.html'))) throw error;
  }
}

// node bin/build/admin-ui.js
if (argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildAdminUi();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
  if (process.connected) process.disconnect();
}
