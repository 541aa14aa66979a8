import { fork } from 'node:child_process';
import { join } from 'node:path';
import { arePagesOutdated } from './pages.js';
import { ROOT } from './files.js';

/**
 * Builds outdated pages of the administration in a separate process while the service runs. The service serves them as soon as they
 * are finished, and runs without them if they cannot be built. The build ends when the service does.
 */
export function preparePages() {
  if (!arePagesOutdated()) return;
  console.error('Building the administration pages. They will be ready at /admin in less than a minute.');
  const child = fork(join(ROOT, 'bin/build/pages.js'), ['--outdated'], { silent: true, execArgv: [] });
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
