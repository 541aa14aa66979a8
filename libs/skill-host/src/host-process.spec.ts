import { execFile } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { startHostProcess } from './host-process.js';
import type { HostLimits } from './protocol.js';

/** Tries what code could do that reaches `process`; prints the outcome of each by its name. */
const TRIES = `
  const { get } = await import('node:http');
  const { execSync } = await import('node:child_process');
  const { mkdtempSync, readFileSync } = await import('node:fs');
  const outcomeOf = async (attempt) => { try { await attempt(); return 'done'; } catch (error) { return error.code ?? error.message; } };
  const tried = {
    read: () => readFileSync(process.execPath),
    write: () => mkdtempSync('written-'),
    connect: () => new Promise((resolve, reject) => get(process.argv[1], resolve).on('error', reject)),
    spawn: () => execSync('true'),
    addon: () => process.dlopen({ exports: {} }, 'missing.node'),
  };
  const outcomes = {};
  for (const [name, attempt] of Object.entries(tried)) outcomes[name] = await outcomeOf(attempt);
  console.log(JSON.stringify(outcomes));
  process.exit();`;

describe('the process that runs modules', () => {
  it('is started so that code which escapes from a thread has no files, network, processes or add-ons', async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    const host = startHostProcess({} as HostLimits);
    try {
      await new Promise((resolve) => server.once('listening', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const options = host.spawnargs.slice(
        1,
        host.spawnargs.findIndex((one) => one.endsWith('host.worker.js')),
      );
      const script = ['--input-type=module', '--eval', TRIES, url];
      const { stdout } = await promisify(execFile)(host.spawnfile, [...options, ...script], { env: {}, cwd: tmpdir() });
      expect(JSON.parse(stdout)).toEqual({
        read: 'ERR_ACCESS_DENIED',
        write: 'ERR_ACCESS_DENIED',
        connect: 'ERR_ACCESS_DENIED',
        spawn: 'ERR_ACCESS_DENIED',
        addon: 'ERR_DLOPEN_DISABLED',
      });
    } finally {
      host.kill('SIGKILL');
      server.close();
    }
  });
});
