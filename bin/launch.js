// Plain JavaScript that any Node can read, to say what is missing instead of a stack trace.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Runs a compiled script of the service, built anew when its source is newer. */
export async function launch(script) {
  requireNode(26);
  if (newest('.ts', 'src', 'libs') > newest('.js', 'dist/src', 'dist/libs')) build();
  if (process.env.npm_lifecycle_event) stopWithParent();
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(join(root, 'node_modules/.cache/compile'));
  await import(new URL(script, `file://${root}/dist/src/`).href);
}

function requireNode(major) {
  if (Number(process.versions.node.split('.')[0]) >= major) return;
  console.error(
    `Agent Service needs Node.js ${major}, and this is ${process.version}. Start it with "npm start": npm brings the right one (npm ci).`,
  );
  process.exit(1);
}

/** npm passes a signal on only to the shell between itself and this process: when that is gone, it was meant for us. */
function stopWithParent() {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), 250).unref();
}

/** When the latest of some files changed. A container has only the build; a clone is built when its source is newer. */
function newest(extension, ...folders) {
  const files = folders
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))))
    .filter((name) => name.endsWith(extension) && !/node_modules|\.spec\.ts$|testing\.ts$/.test(name));
  return Math.max(0, ...files.map((file) => statSync(file).mtimeMs));
}

function build() {
  console.log('Building ...');
  const built = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (built.status !== 0) process.exit(1);
}
