import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ServerProcess } from '../harness/server-process.js';
import { listenOnLoopback, stopServer } from '../support/loopback.js';
import { admin, type Target } from './target.js';

const MEGABYTE = 1024 * 1024;

/** The service in a child process, with a site that it may fetch from. */
export class Besieged {
  private constructor(
    readonly server: ServerProcess,
    readonly target: Target,
    private readonly site: Server,
    private readonly dataDir: string,
  ) {}

  static async start(heapMegabytes?: number): Promise<Besieged> {
    const dataDir = await mkdtemp(join(tmpdir(), 'siege-'));
    const feeds = new Map<string, Buffer>();
    const site = createServer((req, res) => res.end(feeds.get(req.url ?? '') ?? ''));
    const feedsOrigin = await listenOnLoopback(site);
    const [key, password] = ['a-key-for-the-siege', 'siege-password'];
    const server = await ServerProcess.start({
      env: {
        DATA_DIR: dataDir,
        MCP_API_KEY: key,
        ADMIN_PASSWORD: password,
        HTTP_ALLOWED_HOSTS: '127.0.0.1',
        LOG_LEVEL: 'error',
      },
      ...(heapMegabytes && { heapMegabytes }),
    });
    const target = { port: server.port, key, password, feeds, feedsOrigin };
    // A known client is not locked out while others guess passwords.
    await admin(target, 'GET', 'overview');
    return new Besieged(server, target, site, dataDir);
  }

  /** @throws Error if there was an unhandled error */
  async end(): Promise<void> {
    await stopServer(this.site);
    await this.server.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Starts polling the health endpoint. */
  watch(): HealthWatch {
    return new HealthWatch(`http://127.0.0.1:${this.target.port}/health/live`);
  }

  /** For the benchmark. */
  residentMegabytes(): number {
    const status = readFileSync(`/proc/${this.server.pid}/status`, 'utf8');
    return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024) / MEGABYTE;
  }
}

/** Polls from a worker thread, so that the work of the attacker does not distort the measurement. */
export class HealthWatch {
  private readonly thread: Worker;

  constructor(url: string) {
    this.thread = new Worker(resolve('dist/test/hostile/health-watch.worker.js'), { workerData: url });
  }

  /** Stops, and returns the longest response time, in ms. */
  async end(): Promise<number> {
    const answer = new Promise<number>((resolved) => this.thread.once('message', resolved));
    this.thread.postMessage('end');
    const longest = await answer;
    await this.thread.terminate();
    return longest;
  }
}
