import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/until.js';
import { accepts, freePort } from './free-port.js';

/** PgBouncer in front of a PostgreSQL server. */
export class PgBouncer {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /** @param settings such as `pool_mode` */
  static async start(
    program: string,
    serverUrl: string,
    settings: Record<string, string | number>,
  ): Promise<PgBouncer> {
    const { hostname, port, username } = new URL(serverUrl);
    const [ownPort, folder] = [await freePort(), mkdtempSync(join(tmpdir(), 'pgbouncer-'))];
    const all = { listen_addr: '127.0.0.1', listen_port: ownPort, unix_socket_dir: '', auth_type: 'any', ...settings };
    const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
    const database = `* = host=${hostname} port=${port} user=${username}`;
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(file, ['[databases]', database, '[pgbouncer]', ...lines, ''].join('\n'));
    chmodSync(folder, 0o755);
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
    const child = spawn(program, [...user, file], { stdio: 'ignore' });
    await until(() => accepts(ownPort));
    return new PgBouncer(ownPort, child, folder);
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
