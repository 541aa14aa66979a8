// Builds the pages of the administration (libs/admin-ui/dist) and the views for assistants (libs/app-views/dist) with Vite.
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { filesIn, ROOT } from './files.js';
import { isInstalled, npmCi, run } from './packages.js';

/** The packages that Vite builds, each with a page whose age tells whether it is up to date. */
const PAGES = [
  { source: 'libs/admin-ui', page: 'index.html' },
  { source: 'libs/app-views', page: 'run.html' },
];
/** What Vite takes for the end of a path. */
const ENDS_A_PATH = /[#?]/;
/** Exit code of a build that was asked to stop; a failed build exits with 1. */
const STOPPED = 130;

/** Returns whether pages are missing or older than their sources. In a release, which has no sources, they never are. */
export const arePagesOutdated = () => PAGES.some(isOutdated);

function isOutdated({ source, page }) {
  const files = filesIn(source).filter((file) => !/[\\/]dist[\\/]|\.(spec|d)\.ts$|\.md$/.test(file));
  if (!files.some((file) => file.endsWith(page))) return false;
  const built = join(ROOT, source, 'dist', page);
  const builtAt = existsSync(built) ? statSync(built).mtimeMs : 0;
  return files.some((file) => statSync(join(ROOT, file)).mtimeMs > builtAt);
}

/**
 * Builds the pages that are outdated, or all of them. It uses their packages (100 MB) if they are installed; otherwise it
 * installs them for the build and removes them afterwards. Several builds may run at once, because each has a folder of its own.
 * @throws Error with the output of npm or Vite, or when the path of the project has a character that Vite does not take
 */
export async function buildPages({ all = false } = {}) {
  if (ENDS_A_PATH.test(ROOT)) throw new Error(`Vite takes no path with # or ?: rename or move ${ROOT}`);
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'dist/pages-'));
  let child;
  const cleanUp = () => {
    child?.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  const stop = () => {
    cleanUp();
    process.exit(STOPPED);
  };
  // The parent process has ended, or asks this one to stop.
  for (const event of ['disconnect', 'SIGINT', 'SIGTERM']) process.once(event, stop);
  const runStep = (step) => {
    child = step.child;
    return step.done;
  };
  try {
    for (const pages of PAGES) if (all || isOutdated(pages)) await build(pages, join(folder, pages.source), runStep);
  } finally {
    cleanUp();
    for (const event of ['disconnect', 'SIGINT', 'SIGTERM']) process.off(event, stop);
  }
}

async function build({ source: name, page }, folder, runStep) {
  mkdirSync(folder, { recursive: true });
  const source = isInstalled(name) ? join(ROOT, name) : copySource(name, join(folder, 'source'));
  if (!isInstalled(relative(ROOT, source))) await runStep(npmCi(source));
  const vite = [join(source, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', join(folder, 'built')];
  await runStep(run(process.execPath, vite, { cwd: source, env: { ...process.env, NODE_ENV: 'production' } }));
  putInPlace(join(folder, 'built'), join(ROOT, name, 'dist'), join(folder, 'before'), page);
}

function copySource(name, folder) {
  const isSource = (path) => !/^(node_modules|dist)$/.test(relative(join(ROOT, name), path));
  cpSync(join(ROOT, name), folder, { recursive: true, filter: isSource });
  return folder;
}

function putInPlace(built, place, before, page) {
  if (existsSync(place)) renameSync(place, before);
  try {
    renameSync(built, place);
  } catch (error) {
    // Another build of the same sources has just finished.
    if (!existsSync(join(place, page))) throw error;
  }
}

// node bin/build/pages.js [--outdated]
if (argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildPages({ all: !argv.includes('--outdated') });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
  if (process.connected) process.disconnect();
}
