import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { bundled, COMPILED } from './server-process.js';

interface Ended {
  status: number;
  /** What was written to stdout. */
  output: string;
  /** Everything written, without empty lines at the beginning and the end. */
  lines: string[];
}

/** Runs a command of the service, such as `migrate`, in a child process; `env` holds all settings of the service that it gets. */
export async function runCommand(env: Record<string, string>, name: string, ...args: string[]): Promise<Ended> {
  const child = spawnCommand(env, name, args);
  let [all, output] = ['', ''];
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (all += String(chunk)));
  const [status] = (await once(child, 'close')) as [number];
  return { status, output, lines: all.trim().split('\n') };
}

/** Runs a command whose output nobody reads; returns its exit code. */
export async function runCommandUnread(env: Record<string, string>, name: string, ...args: string[]): Promise<number> {
  const child = spawnCommand(env, name, args);
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  const [status] = (await once(child, 'close')) as [number];
  return status;
}

function spawnCommand(env: Record<string, string>, name: string, args: readonly string[]) {
  const script = resolve(bundled(`dist/src/entrypoints/commands/${name}.js`));
  return spawn(process.execPath, [script, name, ...args], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILED, ...env },
  });
}
