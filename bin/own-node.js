// Plain JavaScript that any Node can run.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const REQUIRED = 26;
/** Set for a child that was started by `runInstead`. */
const LAUNCHED = 'AGENT_SERVICE_LAUNCHED';
/** Whether this process runs instead of one of an old Node. */
export const isRunInstead = Boolean(process.env[LAUNCHED]);
delete process.env[LAUNCHED];
const SYSTEMS = { darwin: 'darwin', linux: 'linux', win32: 'win' };

/**
 * Resolves when the Node that runs this is recent enough. Otherwise, the one that npm has installed with this package runs the same
 * script, and this process ends with it; without one, it ends with a message.
 */
export async function useOwnNode(root) {
  if (Number(process.versions.node.split('.')[0]) >= REQUIRED) return stopWithLauncher();
  const node = findNode(root);
  if (node) return runInstead(node);
  console.error(
    `Agent Service needs Node.js ${REQUIRED}, and this is ${process.version}. npm brings the right one with the optional packages: install again without --omit=optional, or install Node.js ${REQUIRED}.`,
  );
  process.exit(1);
}

/** Looks in the folders where npm puts the packages that this one needs. */
function findNode(folder) {
  const system = SYSTEMS[process.platform];
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  for (const name of [`node-${system}-${process.arch}`, `node-bin-${system}-${process.arch}`]) {
    const node = join(folder, 'node_modules', name, 'bin', program);
    if (existsSync(node)) return node;
  }
  return dirname(folder) === folder ? null : findNode(dirname(folder));
}

/** Never resolves. */
function runInstead(node) {
  // The channel tells the child when this process is gone, however it ended.
  const child = spawn(node, process.argv.slice(1), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [LAUNCHED]: '1' },
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // A terminal sends it to both.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.once('error', (error) => {
    console.error(`Agent Service cannot start ${node}: ${error.message}`);
    process.exit(1);
  });
  child.once('exit', (code) => process.exit(code ?? 1));
  return new Promise(() => {});
}

/** Stops this process when the one that runs it instead of itself is gone. */
function stopWithLauncher() {
  if (!isRunInstead || !process.connected) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
