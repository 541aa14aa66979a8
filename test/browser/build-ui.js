import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const UI = 'libs/admin-ui';

/** The tests in a browser look at the UI as it is built, so it is built when its source is newer. */
export function buildUi() {
  if (!existsSync('/usr/bin/chromium')) return;
  if (newestChange(join(UI, 'src')) <= modified(join(UI, 'dist/index.html'))) return;
  execFileSync('npm', ['run', '--silent', 'build', '-w', UI], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' }, // Jest sets it to test, and React's own checks would be built in
    shell: process.platform === 'win32',
  });
}

function newestChange(folder) {
  if (!existsSync(folder)) return -1;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Math.max(0, ...names.filter((name) => !name.includes('.spec.')).map((name) => modified(join(folder, name))));
}

function modified(file) {
  return existsSync(file) ? statSync(file).mtimeMs : 0;
}
