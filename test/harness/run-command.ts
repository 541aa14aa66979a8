import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { bundled, COMPILED } from './server-process.js';

interface Ended {
  status: number;
  /** The output, without empty lines at the beginning and the end. */
  lines: string[];
}

/** Runs a command of the service, such as `migrate`, in a child process; `env` holds all settings of the service that it gets. */
export async function runCommand(env: Record<string, string>, name: string, ...args: string[]): Promise<Ended> {
  const script = resolve(bundled(`dist/src/entrypoints/commands/${name}.js`));
  const child = spawn(process.execPath, [script, name, ...args], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILED, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const [status] = (await once(child, 'close')) as [number];
  return { status, lines: output.trim().split('\n') };
}
