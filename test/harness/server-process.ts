import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ESCAPED } from '../../src/platform/telemetry/unhandled-errors.service.js';
import { freePort } from './free-port.js';
import type { ProbeAnswer, ProbeQuestion } from './probe.js';

const START_TIMEOUT_MS = 60_000;
/** After this time a process counts as hung and is killed. A clean shutdown may have to wait for callers. */
const STOP_TIMEOUT_MS = 60_000;
/** Node's compile cache, as for a service started by `bin/start.js`: saves a tenth of each start. */
export const COMPILED = resolve('dist/.compiled');

export interface ServerOptions {
  /** The script to run, relative to the root of the project. Default: the service. */
  script?: string;
  /** The environment. Without a PORT, the server listens on a free one. */
  env: NodeJS.ProcessEnv;
  /** Polled until it responds with 200, and a health report contains `"mcp":"running"`. Default: the health of the service. */
  readyPath?: string;
  /** Limit of the V8 heap; the process dies when it needs more. Default: Node's default. */
  heapMegabytes?: number;
}

/** A server in a child process, whose CPU time and memory the test can read. */
export class ServerProcess {
  private lastId = 0;
  private output = '';
  private escaped: string | null = null; // null = no unhandled error

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => this.read(chunk));
    }
  }

  /** @throws Error with the last output of the server if it does not become ready */
  static async start(options: ServerOptions): Promise<ServerProcess> {
    const { script = 'dist/src/main.js', env, heapMegabytes, readyPath = '/health' } = options;
    const port = Number(env['PORT'] ?? (await freePort()));
    const heap = heapMegabytes === undefined ? [] : [`--max-old-space-size=${heapMegabytes}`];
    const probe = pathToFileURL(resolve('dist/test/harness/probe.js')).href;
    const child = fork(resolve(bundled(script)), {
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, HOST: '127.0.0.1', PORT: String(port), ...env },
      execArgv: ['--expose-gc', ...heap, '--import', probe],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const server = new ServerProcess(child, port);
    const readyUrl = server.origin + readyPath;
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (!(await isReady(readyUrl))) {
      if (!server.isRunning || performance.now() > deadline) {
        await server.stop();
        throw new Error(`${script} did not get ready at ${readyUrl}. Its last output:\n${server.lastOutput}`);
      }
      await new Promise((wake) => setTimeout(wake, 25));
    }
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the server did not start');
    return this.child.pid;
  }

  get lastOutput(): string {
    return this.output;
  }

  async ask(probe: ProbeQuestion['probe']): Promise<number> {
    const id = (this.lastId += 1);
    const answered = Promise.withResolvers<number>();
    const onMessage = (message: ProbeAnswer) => {
      if (message.id === id) answered.resolve(message.value);
    };
    const onExit = () => answered.reject(new Error(`the server went away. Its last output:\n${this.output}`));
    this.child.on('message', onMessage).once('exit', onExit);
    this.child.send({ probe, id } satisfies ProbeQuestion);
    try {
      return await answered.promise;
    } finally {
      this.child.off('message', onMessage).off('exit', onExit);
    }
  }

  /** Sends an IPC message to the server's own code. */
  tell(message: object): void {
    this.child.send(message);
  }

  /** @throws Error if the server had an unhandled error while it ran */
  async stop(): Promise<void> {
    if (this.isRunning) {
      const exited = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      const kill = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await exited;
      clearTimeout(kill);
    }
    this.assertNothingEscaped();
  }

  /** Kills the server with SIGKILL, as a power failure would. @throws Error if the server had an unhandled error while it ran */
  async kill(): Promise<void> {
    if (this.isRunning) {
      const exited = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await exited;
    }
    this.assertNothingEscaped();
  }

  private read(chunk: string): void {
    this.output = (this.output + chunk).slice(-8_000);
    const at = this.output.indexOf(ESCAPED);
    if (at >= 0) this.escaped ??= this.output.slice(Math.max(0, at - 2_000));
  }

  private assertNothingEscaped(): void {
    if (this.escaped !== null) throw new Error(`an error escaped its owner in the server:\n${this.escaped}`);
  }
}

/** Returns the script to start: in a full test run its bundle, which saves a third of the start. */
export const bundled = (script: string): string =>
  process.env['SERVERS_ARE_BUNDLED'] === '1' ? script.replace(/^dist\/(src|test)\//, 'dist/bundled/') : script;

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    const body = await response.text();
    return response.status < 500 && (!body.includes('"mcp":') || body.includes('"mcp":"running"'));
  } catch {
    return false;
  }
}
