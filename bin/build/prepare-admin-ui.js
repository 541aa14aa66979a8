import { fork } from 'node:child_process';
import { join } from 'node:path';
import { isAdminUiOutdated } from './admin-ui.js';
import { ROOT } from './files.js';

/**
 * Builds the pages of the administration beside the running service when they are outdated. It serves them as soon as they are there,
 * and runs without them when they can't be built. The build ends when the service does.
 */
export function prepareAdminUi() {
  if (!isAdminUiOutdated()) return;
  console.error('The administration pages are being prepared, which takes a few seconds: until then /admin says so.');
  const child = fork(join(ROOT, 'bin/build/admin-ui.js'), { silent: true, execArgv: [] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
    stream.unref();
  }
  child.unref();
  child.channel.unref();
  child.once('error', (error) => tellFailure(error.message));
  child.once('exit', (code) => code === 1 && tellFailure(output));
}

function tellFailure(output) {
  console.error(
    `${output.trim()}\nThe administration pages could not be built. The rest of the service runs. To try again: npm run build:ui`,
  );
}
