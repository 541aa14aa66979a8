import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../harness/free-port.js';
import { NginxProxy } from '../harness/nginx-proxy.js';
import { ServerProcess } from '../harness/server-process.js';
import { until } from '../support/until.js';
import { type ClientKind, CLIENTS, type RestartClient } from './clients.js';

const KEY = 'client-restarts-key-0123';
const ADMIN_PASSWORD = 'client-restarts-password';
/** For each step; all steps together take less than Jest's timeout. */
const PATIENCE_MS = 60_000;

export const ROUTES = ['direct', 'through nginx'] as const;
export type Route = (typeof ROUTES)[number];

export interface Outage {
  /** How long no process listens. */
  seconds: number;
  /** `stop`: a clean shutdown; `kill`: SIGKILL. */
  how: 'stop' | 'kill';
}

interface Connected {
  kind: ClientKind;
  route: Route;
  client: RestartClient;
}

/** An outage of a service with all kinds of clients connected. */
export class OutageRun {
  /** Errors, by client and route. */
  private readonly problems = new Map<string, Error>();
  private readonly finished: Promise<void>;
  private readonly clients: Connected[] = [];
  private server: ServerProcess | null = null; // null = not running
  private proxy: NginxProxy | null = null;
  private dataDir = '';
  private port = 0;
  private enabled = true;

  /** @param nginx path of nginx; null = not installed: then all clients connect directly */
  constructor(
    private readonly outage: Outage,
    private readonly nginx: string | null,
  ) {
    this.finished = this.play();
    this.finished.catch(() => undefined);
  }

  /** Resolves when the client has continued without an error. @throws its error */
  async outcomeOf(kind: ClientKind, route: Route): Promise<void> {
    await this.finished;
    const problem = this.problems.get(keyOf(kind, route));
    if (problem !== undefined) throw problem;
  }

  async stop(): Promise<void> {
    await this.finished.catch(() => undefined);
    await Promise.allSettled(this.clients.map(({ client }) => client.close()));
    await this.proxy?.stop();
    await this.server?.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async play(): Promise<void> {
    this.dataDir = await mkdtemp(join(tmpdir(), 'outage-'));
    this.port = await freePort();
    const begun = performance.now();
    this.server = await this.start();
    const startMs = performance.now() - begun;
    if (this.nginx !== null) this.proxy = await NginxProxy.start(this.nginx, `127.0.0.1:${this.port}`);
    await this.connectAll();
    await until(() => this.clients.every(({ client }) => client.listens()), PATIENCE_MS);
    await this.changeUntilAllKnow();
    await this.server[this.outage.how]();
    this.server = null;
    // Clients that try twice experience the start of the service as a part of the outage, and it is slow on a busy machine.
    await sleep(Math.max(0, this.outage.seconds * 1_000 - startMs));
    this.server = await this.start();
    await Promise.all(this.clients.map((one) => this.noting(one, () => this.callAgain(one.client))));
    const before = this.clients.map(({ client }) => client.told());
    await this.change();
    const hear = (one: Connected, index: number) =>
      this.noting(one, () => this.hear(one.kind, one.client, before[index] ?? 0));
    await Promise.all(this.clients.map(hear));
  }

  private async connectAll(): Promise<void> {
    const ports: [Route, number | undefined][] = [
      ['direct', this.port],
      ['through nginx', this.proxy?.port],
    ];
    for (const [route, port] of ports) {
      if (port === undefined) continue;
      const url = new URL(`http://127.0.0.1:${port}/mcp`);
      for (const kind of CLIENTS) this.clients.push({ kind, route, client: await kind.connect(url, KEY) });
    }
  }

  /** Most clients open their streams in the background, without reporting it. */
  private async changeUntilAllKnow(): Promise<void> {
    await until(async () => {
      await this.change();
      await sleep(200);
      return this.clients.every(({ client }) => client.told() > 0);
    }, PATIENCE_MS);
  }

  private async callAgain(client: RestartClient): Promise<void> {
    const answers = () =>
      client.call('system_info').then(
        () => true,
        () => false,
      );
    await until(answers, PATIENCE_MS);
  }

  private async hear({ isToldUnasked }: ClientKind, client: RestartClient, before: number): Promise<void> {
    await until(async () => {
      if (!client.listens()) await this.change();
      if (!isToldUnasked) await client.call('system_info');
      return client.told() > before;
    }, PATIENCE_MS);
  }

  private async noting({ kind, route }: Connected, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      this.problems.set(keyOf(kind, route), this.problems.get(keyOf(kind, route)) ?? problem);
    }
  }

  /** Toggles a skill. */
  private async change(): Promise<void> {
    this.enabled = !this.enabled;
    const res = await fetch(`http://127.0.0.1:${this.port}/admin/api/skills/memory_remove`, {
      method: 'PUT',
      headers: {
        authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ enabled: this.enabled }),
    });
    if (!res.ok) throw new Error(`the skill could not be changed: ${res.status} ${await res.text()}`);
  }

  private start(): Promise<ServerProcess> {
    const { port, dataDir } = this;
    return ServerProcess.start({
      env: { PORT: String(port), DATA_DIR: dataDir, MCP_API_KEY: KEY, ADMIN_PASSWORD, LOG_LEVEL: 'error' },
    });
  }
}

const keyOf = ({ name, protocol }: ClientKind, route: Route): string => `${name} ${protocol} ${route}`;
