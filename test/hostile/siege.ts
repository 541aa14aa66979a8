import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { freePort } from '../harness/free-port.js';
import { ServerProcess } from '../harness/server-process.js';
import type { Attack } from './attacks.js';
import { admin, callTool, pause, type Target } from './target.js';

const MEGABYTE = 1024 * 1024;
const SETTLE_MS = 1_500;

/** What an attack did to the service. */
export interface Damage {
  attack: string;
  seconds: number;
  /** The longest that `/health/live` took to answer meanwhile. */
  healthMs: number;
  /** Resident memory in MB. */
  before: number;
  most: number;
  after: number;
}

/** The service in a process of its own, and who watches it while it is attacked. */
export class Siege {
  /** What one attack does to a service that has just started. @throws Error when it does not serve any more afterwards */
  static async of(attack: Attack): Promise<Damage> {
    const siege = await Siege.begin();
    try {
      return await siege.suffer(attack);
    } finally {
      await siege.end();
    }
  }

  private constructor(
    private readonly server: ServerProcess,
    private readonly target: Target,
    private readonly feedServer: Server,
    private readonly dataDir: string,
  ) {}

  private static async begin(): Promise<Siege> {
    const dataDir = await mkdtemp(join(tmpdir(), 'siege-'));
    const [port, feedsPort] = [await freePort(), await freePort()];
    const feeds = new Map<string, Buffer>();
    const feedServer = createServer((req, res) => res.end(feeds.get(req.url ?? '') ?? ''));
    await new Promise<void>((listening) => feedServer.listen(feedsPort, '127.0.0.1', listening));
    const feedsOrigin = `http://127.0.0.1:${feedsPort}`;
    const target = { port, key: 'a-key-for-the-siege', password: 'siege-password', feeds, feedsOrigin };
    const server = await ServerProcess.start({
      script: 'dist/src/main.js',
      env: {
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        MCP_API_KEY: target.key,
        ADMIN_PASSWORD: target.password,
        HTTP_ALLOWED_HOSTS: '127.0.0.1',
        LOG_LEVEL: 'error',
      },
      readyUrl: `http://127.0.0.1:${port}/health`,
    });
    // Who was let in once is let in while others guess.
    await admin(target, 'GET', 'overview');
    return new Siege(server, target, feedServer, dataDir);
  }

  private async suffer(attack: Attack): Promise<Damage> {
    const { pid } = this.server;
    const before = residentMegabytes(pid);
    const watch = new HealthWatch(`http://127.0.0.1:${this.target.port}/health/live`);
    const startedAt = performance.now();
    let most = before;
    const sampling = setInterval(() => (most = Math.max(most, residentMegabytes(pid))), 50);
    await attack.run(this.target);
    const seconds = (performance.now() - startedAt) / 1_000;
    await pause(SETTLE_MS);
    clearInterval(sampling);
    const healthMs = await watch.end();
    await this.assertServing(attack.name);
    const after = residentMegabytes(pid);
    return { attack: attack.name, seconds, healthMs, before, most: Math.max(most, after), after };
  }

  /** @throws Error when an error escaped its owner meanwhile */
  private async end(): Promise<void> {
    this.feedServer.closeAllConnections();
    this.feedServer.close();
    await this.server.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async assertServing(attack: string): Promise<void> {
    if (!this.server.isRunning) throw new Error(`${attack} ended the process:\n${this.server.lastOutput}`);
    const [call, overview] = [
      await callTool(this.target, 'system_info', {}),
      await admin(this.target, 'GET', 'overview'),
    ];
    if (call.status !== 200 || overview.status !== 200) {
      throw new Error(`after ${attack} the service answers ${call.status} ${call.text} and ${overview.status}`);
    }
  }
}

/** Asks from a thread of its own, so that the attacker's work is not counted. */
export class HealthWatch {
  private readonly thread: Worker;

  constructor(url: string) {
    this.thread = new Worker(resolve('dist/test/hostile/health-watch.worker.js'), { workerData: url });
  }

  /** The longest wait, in ms. */
  async end(): Promise<number> {
    const answer = new Promise<number>((resolved) => this.thread.once('message', resolved));
    this.thread.postMessage('end');
    const longest = await answer;
    await this.thread.terminate();
    return longest;
  }
}

export function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024) / MEGABYTE;
}
