import { createServer, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../harness/free-port.js';
import { ServerProcess } from '../harness/server-process.js';
import { writeMark } from './marks.js';
import { type Shape, SHAPE_NAMES } from './shapes.js';
import { listenOnLoopback, stopServer } from '../support/loopback.js';

const PASSWORD = 'run-crash-password';
const AUTHORIZATION = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

export interface FoundRun {
  id: string;
  name: Shape;
  status: string;
  output: unknown;
  error: unknown;
}

/** Service processes on one database that are killed and restarted. */
export class Fleet {
  private readonly processes: { port: number; server: ServerProcess | null }[] = [];

  private readonly stopping = new AbortController();
  private answering: Promise<void> = Promise.resolve();

  private constructor(
    private readonly envOf: (number: number) => Record<string, string>,
    private readonly slow: SlowServer,
  ) {}

  /** @param envOf environment of all processes, or of each by its number */
  static async start(
    count: number,
    envOf: Record<string, string> | ((number: number) => Record<string, string>),
  ): Promise<Fleet> {
    const fleet = new Fleet(typeof envOf === 'function' ? envOf : () => envOf, await SlowServer.start());
    for (let number = 0; number < count; number++) {
      fleet.processes.push({ port: await freePort(), server: null });
      await fleet.startOne(number);
    }
    fleet.answering = fleet.answerQuestions();
    return fleet;
  }

  get size(): number {
    return this.processes.length;
  }

  get pids(): number[] {
    return this.processes.flatMap(({ server }) => (server?.isRunning ? [server.pid] : []));
  }

  async startOne(number: number): Promise<void> {
    const one = this.processes[number];
    if (!one) return;
    one.server = await ServerProcess.start({
      script: 'dist/test/run-crash/server.js',
      env: {
        PORT: String(one.port),
        ADMIN_PASSWORD: PASSWORD,
        WORKFLOWS_DIR: 'test/run-crash/workflows',
        LOG_LEVEL: 'warn',
        HTTP_ALLOWED_HOSTS: '["127.0.0.1"]',
        SLOW_ORIGIN: this.slow.origin,
        ...this.envOf(number),
      },
      readyPath: '/health/live',
    });
  }

  /** Kills a process with SIGKILL at any moment. */
  async kill(number: number): Promise<void> {
    const server = this.processes[number]?.server;
    if (!server) return;
    writeMark(this.marksFile(number), { key: '', lane: '', order: 0, phase: 'kill', pid: server.pid });
    await server.kill();
  }

  private marksFile(number: number): string {
    const file = this.envOf(number)['MARKS_FILE'];
    if (file === undefined) throw new Error('the steps write no marks');
    return file;
  }

  async stop(): Promise<void> {
    if (this.stopping.signal.aborted) return;
    this.stopping.abort();
    // It may be sending a request to a process that has stopped.
    await this.answering.catch(() => {});
    await this.slow.close();
    for (const { server } of this.processes) await server?.stop();
  }

  /** Starts `count` runs of each shape, numbered from `first`, whatever happens to the processes in the meantime. */
  async startRuns(count: number, first = 0): Promise<void> {
    const starts = SHAPE_NAMES.flatMap((name) => Array.from({ length: count }, (_, n) => ({ name, n: first + n })));
    await this.startAll(starts.filter(({ name }) => name !== 'ringer'));
    // An event reaches only the runs that already listen.
    await this.startAll(starts.filter(({ name }) => name === 'ringer'));
  }

  private async startAll(starts: readonly { name: string; n: number }[]): Promise<void> {
    await Promise.all(
      starts.map(({ name, n }, index) => this.untilAnswered(index, (origin) => fetch(`${origin}/crash/${name}/${n}`))),
    );
  }

  /** Returns all top-level runs when all runs have ended; after the timeout, returns them as they are. */
  async listEnded(timeoutMs: number): Promise<FoundRun[]> {
    for (const deadline = performance.now() + timeoutMs; ; await pause(250)) {
      const runs = await this.listRuns();
      const open = runs.filter(({ status }) => !['completed', 'failed', 'cancelled'].includes(status));
      if (runs.length > 0 && (open.length === 0 || performance.now() > deadline)) return this.withOutputs(runs);
    }
  }

  private async withOutputs(runs: readonly FoundRun[]): Promise<FoundRun[]> {
    const outputs = await this.untilAnswered<Record<string, unknown>>(0, (origin) => fetch(`${origin}/crash/outputs`));
    return runs.map((run) => ({ ...run, output: outputs[run.id] }));
  }

  /** Answers the questions that do not expire, until the fleet is stopped. */
  private async answerQuestions(): Promise<void> {
    for (const { signal } = this.stopping; !signal.aborted; await pause(200)) {
      const { items } = await this.get<{ items: { runId: string; step: string }[] }>('runs/questions');
      for (const { runId, step } of items) if (step.endsWith('/answered')) await this.answer(runId, step);
    }
  }

  private async answer(runId: string, step: string): Promise<void> {
    try {
      await this.untilAnswered(0, (origin) =>
        fetch(`${origin}/admin/api/runs/${runId}/answers`, {
          method: 'POST',
          headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
          body: JSON.stringify({ step, action: 'accept', content: { go: true } }),
        }),
      );
    } catch (error) {
      // The process accepted the answer, and was killed before it responded.
      if (!(error instanceof Refused) || error.status !== 409) throw error;
    }
  }

  private async listRuns(): Promise<FoundRun[]> {
    const runs: FoundRun[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: FoundRun[]; nextCursor: string | null } = await this.get(
        `runs?limit=200${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      runs.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return runs;
  }

  get<T>(path: string): Promise<T> {
    return this.untilAnswered(0, (origin) =>
      fetch(`${origin}/admin/api/${path}`, { headers: { authorization: AUTHORIZATION } }),
    );
  }

  /** Sends a request to one process after the other until one responds. @throws Error when one rejects it */
  private async untilAnswered<T>(first: number, ask: (origin: string) => Promise<Response>): Promise<T> {
    for (let attempt = first; ; attempt++) {
      if (this.stopping.signal.aborted) throw new Error('The fleet was stopped before a process answered.');
      const { port } = this.processes[attempt % this.processes.length] ?? { port: 0 };
      try {
        const response = await ask(`http://127.0.0.1:${port}`);
        const text = await response.text();
        if (response.ok) return JSON.parse(text || 'null') as T;
        if (response.status < 500) throw new Refused(response.status, text);
      } catch (error) {
        if (error instanceof Refused) throw error;
      }
      await pause(50);
    }
  }
}

class Refused extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(`${status} ${text}`);
  }
}

/** Responds to the third attempt of `/patient`, returns an error to the second, and never responds to anything else. */
class SlowServer {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<SlowServer> {
    const server = createServer(({ url }, response) => {
      if (url === '/patient/3') response.setHeader('content-type', 'application/json').end('{"attempt":3}');
      else if (url === '/patient/2') response.writeHead(503).end();
    });
    return new SlowServer(server, await listenOnLoopback(server));
  }

  close(): Promise<void> {
    return stopServer(this.server);
  }
}
