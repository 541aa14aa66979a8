import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { until } from '../support/until.js';
import { bundled } from './server-process.js';

/** Starts a process with the socket for each line on stdin. Prints the id of each process when it starts and when it exits. */
const SCRIPT = `
while read -r script; do
  {
    sh -c 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$1"' "$NODE" "$script" </dev/null &
    pid=$!
    echo "started $pid"
    wait $pid
    echo "ended $pid"
  } &
done`;

/**
 * Emulates a systemd socket unit: opens a port, passes it to every process that it starts, and keeps it open. It is a shell
 * script because Node would accept connections itself.
 */
export class ServiceManager {
  private output = '';
  private readonly started: number[] = [];
  private readonly ended = new Set<number>();

  private constructor(
    private readonly shell: ChildProcess,
    readonly port: number,
  ) {
    if (shell.stdout) createInterface(shell.stdout).on('line', (line) => this.read(line));
    shell.stderr?.on('data', (chunk) => (this.output += String(chunk)));
  }

  static async start(env: Record<string, string>): Promise<ServiceManager> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const shell = spawn('sh', ['-c', SCRIPT], {
      env: { PATH: process.env['PATH'], NODE: process.execPath, ...env },
      stdio: ['pipe', 'pipe', 'pipe', descriptorOf(server)],
    });
    await once(shell, 'spawn');
    // The shell has its own copy of the descriptor.
    server.close();
    await once(server, 'close');
    return new ServiceManager(shell, port);
  }

  get lastOutput(): string {
    return this.output;
  }

  /** Starts a service process, and returns its id. */
  async launch(script = 'dist/src/main.js'): Promise<number> {
    const index = this.started.length;
    this.shell.stdin?.write(`${bundled(script)}\n`);
    await until(() => this.started.length > index);
    return this.started[index] ?? 0;
  }

  /** Sends a signal to a process, and resolves when it has exited. */
  async end(pid: number, signal: NodeJS.Signals): Promise<void> {
    if (this.ended.has(pid)) throw new Error(`the process ended by itself. Its last output:\n${this.output}`);
    process.kill(pid, signal);
    await until(() => this.ended.has(pid));
  }

  /** Kills all processes, and closes the port. */
  async stop(): Promise<void> {
    for (const pid of this.started) if (!this.ended.has(pid)) await this.end(pid, 'SIGKILL');
    if (this.shell.exitCode !== null) return;
    const exited = once(this.shell, 'exit');
    this.shell.stdin?.end();
    await exited;
  }

  private read(line: string): void {
    const [, word, pid] = /^(started|ended) (\d+)$/.exec(line) ?? [];
    if (word === 'started') this.started.push(Number(pid));
    else if (word === 'ended') this.ended.add(Number(pid));
    else this.output += `${line}\n`;
  }
}

/** Node exposes the descriptor of a server only here. */
function descriptorOf(server: object): number {
  const handle: unknown = Reflect.get(server, '_handle');
  const descriptor: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined;
  if (typeof descriptor !== 'number' || descriptor < 0) throw new Error('the server has no descriptor');
  return descriptor;
}
