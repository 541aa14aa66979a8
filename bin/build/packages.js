import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './files.js';

/** Whether the packages of a folder with a lock file of its own are there, in the versions of that file. */
export function isInstalled(folder) {
  const installed = packagesOf(folder, 'node_modules/.package-lock.json');
  const wanted = packagesOf(folder, 'package-lock.json');
  return Object.entries(wanted).every(
    // Optional ones are those of other platforms.
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  );
}

function packagesOf(folder, lockFile) {
  const file = join(ROOT, folder, lockFile);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')).packages ?? {}) : {};
}

/** Installs the packages of each folder that lacks them. @throws Error with what npm said */
export async function install(...folders) {
  for (const folder of folders) {
    if (!isInstalled(folder)) await npmCi(join(ROOT, folder)).done;
  }
}

/** Installs what the lock file of a folder says, whatever is set for the npm that runs this. */
export function npmCi(folder) {
  const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
  const cli = process.env.npm_execpath;
  // The very npm that runs this, by this Node; else the one that the shell finds.
  if (cli && basename(cli) === 'npm-cli.js') return run(process.execPath, [cli, ...args], { cwd: folder });
  return run('npm', args, { cwd: folder, shell: process.platform === 'win32' });
}

/** A program whose output is only of interest when it fails: `done` rejects with it then. */
export function run(program, args, options) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const done = new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${[program, ...args].join(' ')} (in ${options.cwd}) failed:\n${output.trim()}`));
    });
  });
  return { child, done };
}

// node bin/build/packages.js <folder>...
if (process.argv[1] === fileURLToPath(import.meta.url)) await install(...process.argv.slice(2));
