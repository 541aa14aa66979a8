// Plain JavaScript that any Node can run.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const REQUIRED = 26;
const SYSTEMS = { darwin: 'darwin', linux: 'linux', win32: 'win' };
/** Set for a process that replaces one with an old Node. */
const MARK = 'AGENT_SERVICE_RUN_INSTEAD';
export const isRunInstead = Boolean(process.env[MARK]);
delete process.env[MARK];

/**
 * Resolves when the Node that runs this is recent enough. Otherwise, the one that npm has installed with this package runs the same
 * script, and this process ends with it; without one, it ends with a message.
 */
export async function useOwnNode(root) {
  if (!isRecent()) await runOnOwnNode(root, process.argv.slice(1));
  else if (isRunInstead && process.connected) stopWithParent();
}

/** Runs a script with a recent Node, and exits with its exit code: it never resolves. */
export function runOnOwnNode(root, args) {
  const node = isRecent() ? process.execPath : findNode(root);
  if (!node) {
    console.error(
      `Agent Service needs Node.js ${REQUIRED}, and this is ${process.version}. npm brings the right one with the optional packages: install again without --omit=optional, or install Node.js ${REQUIRED}.`,
    );
    process.exit(1);
  }
  // The IPC channel notifies the child when this process ends for whatever reason.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  const child = spawn(node, [...process.execArgv.filter(isOfHeap), ...args], {
    stdio,
    env: { ...process.env, [MARK]: '1' },
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // A terminal sends the signal to both processes.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.once('error', (error) => {
    console.error(`Agent Service cannot start ${node}: ${error.message}`);
    process.exit(1);
  });
  child.once('exit', (code) => process.exit(code ?? 1));
  return new Promise(() => {});
}

const isOfHeap = (argument) => argument.includes('-space-size=');

const isRecent = () => Number(process.versions.node.split('.')[0]) >= REQUIRED;

/** Searches the folders where npm installs the dependencies of this package. */
function findNode(folder) {
  const system = SYSTEMS[process.platform];
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  for (const name of [`node-${system}-${process.arch}`, `node-bin-${system}-${process.arch}`]) {
    const node = join(folder, 'node_modules', name, 'bin', program);
    if (existsSync(node)) return node;
  }
  return dirname(folder) === folder ? null : findNode(dirname(folder));
}

function stopWithParent() {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
