import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './files.js';

const PROGRESS_MS = 2_000;

/**
 * Returns whether the packages of a folder are installed in the versions of its lock file.
 * @param options.dev whether development dependencies count, too
 */
export function isInstalled(folder, { dev = true } = {}) {
  const installed = installedIn(folder);
  // Optional packages may be for other platforms.
  return Object.entries(packagesOf(folder, 'package-lock.json')).every(
    ([path, wanted]) =>
      path === '' ||
      wanted.optional ||
      (wanted.dev && !dev) ||
      (path in installed && installed[path].version === wanted.version),
  );
}

const installedIn = (folder) => packagesOf(folder, 'node_modules/.package-lock.json');

function packagesOf(folder, lockFile) {
  const file = join(ROOT, folder, lockFile);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')).packages ?? {}) : {};
}

/** Returns whether a folder has development dependencies. */
export const hasDevelopment = (folder) => Object.values(installedIn(folder)).some(({ dev }) => dev);

/**
 * Installs the packages of each folder that lacks them, and prints what it does.
 * @param options.dev whether to install development dependencies, too
 * @throws Error with the output of npm
 */
export async function install(folders, { dev = true } = {}) {
  for (const folder of folders) {
    if (isInstalled(folder, { dev })) continue;
    const installed = installedIn(folder);
    const wanted = Object.entries(packagesOf(folder, 'package-lock.json')).filter(([, one]) => dev || !one.dev);
    // Keeps the installed packages, among them the Node that runs this. `npm ci` would remove them first.
    const isRest = Object.keys(installed).length > 0 && isInstalled(folder, { dev: false });
    const place = join(ROOT, folder);
    const { done } = isRest ? npmInstallLocked(place) : npmCi(place, { dev });
    const paths = wanted.map(([path]) => path).filter((path) => path !== '' && !(isRest && path in installed));
    await showProgress(folder, paths, done);
  }
}

/** Prints the progress of an installation that takes a while. */
async function showProgress(folder, paths, done) {
  const place = folder === '.' ? '' : ` of ${folder}`;
  const say = (text) => console.error(`Installing the packages${place}: ${text}`);
  say(`${paths.length} of them, once.`);
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const there = paths.filter((path) => existsSync(join(ROOT, folder, path, 'package.json'))).length;
    say(`${there} are there after ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }, PROGRESS_MS);
  try {
    await done;
  } finally {
    timer.close();
  }
}

/** Installs the packages in the lock file of a folder, regardless of the settings that the calling npm passes on. */
export const npmCi = (folder, { dev = true } = {}) => npm(folder, ['ci', dev ? '--include=dev' : '--omit=dev']);

/** Like `npmCi`, but skips optional packages that the registry lacks, with which `npm ci` fails. */
export const npmInstallLocked = (folder) => npm(folder, ['install', '--no-save', '--include=dev']);

function npm(folder, command) {
  const args = [...command, '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
  const cli = process.env.npm_execpath;
  // The calling npm, run by this Node; otherwise, the npm in the PATH.
  if (cli && basename(cli) === 'npm-cli.js') return run(process.execPath, [cli, ...args], { cwd: folder });
  return run('npm', args, { cwd: folder, shell: process.platform === 'win32' });
}

/** Runs a program. `done` rejects with its output if it fails or is killed. */
export function run(program, args, options) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const done = new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) return resolve();
      const how = signal === 'SIGKILL' ? 'was killed, probably for lack of memory' : 'failed';
      reject(new Error(`${[program, ...args].join(' ')} (in ${options.cwd}) ${how}:\n${output.trim()}`));
    });
  });
  return { child, done };
}

// node bin/build/packages.js <folder>...
if (process.argv[1] === fileURLToPath(import.meta.url)) await install(process.argv.slice(2));
