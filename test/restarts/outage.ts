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
/** For each step; all of them together take less than a test may. */
const PATIENCE_MS = 60_000;

export const ROUTES = ['direct', 'through nginx'] as const;
export type Route = (typeof ROUTES)[number];

export interface Outage {
  /** How long nothing listens. */
  seconds: number;
  /** `stop`: the service is told to end; `kill`: it is not. */
  how: 'stop' | 'kill';
}

interface Connected {
  kind: ClientKind;
  route: Route;
  client: RestartClient;
}

/** A service that is away for a while, with all kinds of clients connected to it. */
export class OutageRun {
  /** What went wrong, for each client and route. */
  private readonly problems = new Map<string, Error>();
  private readonly finished: Promise<void>;
  private readonly clients: Connected[] = [];
  private server: ServerProcess | null = null; // null = it is away
  private proxy: NginxProxy | null = null;
  private dataDir = '';
  private port = 0;
  private enabled = true;

  /** @param nginx where it is; null = nowhere: then all clients connect directly */
  constructor(
    private readonly outage: Outage,
    private readonly nginx: string | null,
  ) {
    this.finished = this.play();
    this.finished.catch(() => undefined);
  }

  /** Resolves when a client went on as if nothing had happened. @throws what went wrong */
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
    // Clients that try twice count the start of the service as a part of the outage, which takes long on a busy machine.
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

  /** The streams of most clients open in the background, and they do not say when. */
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

  /** Disables a skill, or enables it. */
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
      script: 'dist/src/main.js',
      env: { PORT: String(port), DATA_DIR: dataDir, MCP_API_KEY: KEY, ADMIN_PASSWORD, LOG_LEVEL: 'error' },
      readyUrl: `http://127.0.0.1:${port}/health`,
    });
  }
}

const keyOf = ({ name, protocol }: ClientKind, route: Route): string => `${name} ${protocol} ${route}`;
