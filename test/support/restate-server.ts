import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../harness/free-port.js';
import { describeUnlessMissing } from './left-out.js';

const PROGRAM = resolve(
  `test/restate/node_modules/@restatedev/restate-server-${platform()}-${arch()}/bin/restate-server`,
);

/** Tests that need a Restate server; skipped where it is not installed. */
export function describeWithRestate(title: string, tests: () => void): void {
  const path = existsSync(PROGRAM) ? PROGRAM : null;
  describeUnlessMissing({ program: 'restate-server', path, getIt: 'npm run test:restate installs it' }, title, tests);
}

/** A single-node Restate server on loopback, with its own data folder. */
export class RestateServer {
  private child: ChildProcess | null = null; // null = not running
  private output = '';

  private constructor(
    private readonly folder: string,
    private readonly ports: { node: number; ingress: number; admin: number },
    private readonly suspendsAfter: string,
  ) {}

  /** @param suspendsAfter how long the server keeps a waiting invocation open before it suspends it; default: the server's own */
  static async start(suspendsAfter = '1m'): Promise<RestateServer> {
    const folder = await mkdtemp(join(tmpdir(), 'restate-'));
    const ports = { node: await freePort(), ingress: await freePort(), admin: await freePort() };
    const server = new RestateServer(folder, ports, suspendsAfter);
    await server.run();
    return server;
  }

  get ingressUrl(): string {
    return `http://127.0.0.1:${this.ports.ingress}`;
  }

  get adminUrl(): string {
    return `http://127.0.0.1:${this.ports.admin}`;
  }

  /** Starts the server on its data. @throws Error with its last output if it does not become ready */
  async run(): Promise<void> {
    const { node, ingress, admin } = this.ports;
    const child = spawn(PROGRAM, ['--no-logo'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        RESTATE_BASE_DIR: this.folder,
        RESTATE_NODE_NAME: 'test',
        RESTATE_BIND_IP: '127.0.0.1',
        RESTATE_LISTEN_MODE: 'tcp',
        RESTATE_BIND_PORT: String(node),
        RESTATE_INGRESS__BIND_PORT: String(ingress),
        RESTATE_ADMIN__BIND_PORT: String(admin),
        RESTATE_ADMIN__DISABLE_WEB_UI: 'true',
        RESTATE_DEFAULT_NUM_PARTITIONS: '2',
        RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '128MB',
        RESTATE_WORKER__INVOKER__INACTIVITY_TIMEOUT: this.suspendsAfter,
        RESTATE_DISABLE_TELEMETRY: 'true',
      },
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.output = (this.output + text).slice(-5_000)));
    while (!(await isReady(`${this.adminUrl}/health`)) || !(await isReady(`${this.ingressUrl}/restate/health`))) {
      if (child.exitCode !== null) throw new Error(`restate-server did not start. Its last output:\n${this.output}`);
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }

  /** Counts the open invocations with an idempotency key; null = the server cannot answer yet. */
  async countOpen(idempotencyKey: string): Promise<number | null> {
    return (await this.listOpen('idempotency_key', idempotencyKey))?.length ?? null;
  }

  /** Returns the ids of the open invocations with this value in a column; null = the server cannot answer yet. */
  async listOpen(
    column: 'idempotency_key' | 'target_service_name' | 'status',
    value: string,
  ): Promise<string[] | null> {
    const query = `select id from sys_invocation where ${column} = '${value}' and status <> 'completed'`;
    const answer = await fetch(`${this.adminUrl}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query }),
    });
    return answer.ok ? ((await answer.json()) as { rows: { id: string }[] }).rows.map(({ id }) => id) : null;
  }

  /** Kills the server with SIGKILL, as a power failure would. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    this.child = null;
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  );
