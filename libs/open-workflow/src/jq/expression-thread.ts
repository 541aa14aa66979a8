import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

export type Job =
  /** The input is JSON. */
  | { kind: 'jq'; program: string; input: string }
  /** Both are JSON. */
  | { kind: 'validate'; schema: string; data: string };

export type Answer =
  | { kind: 'done'; text: string }
  | { kind: 'failed'; reason: string }
  /** The thread broke, most likely because its memory was used up. */
  | { kind: 'crashed' }
  | { kind: 'timeout' };

/** What the thread sends: an answer, and how much of the processor's time it has used since its start. */
export interface Reply {
  answer: Answer;
  usedMs: number;
}

const CRASHED: Reply = { answer: { kind: 'crashed' }, usedMs: 0 };
const HEAP_MEGABYTES = 128;
/** How long a job may take in all, when the machine gives the thread little time. */
const PATIENCE_FACTOR = 20;

/** Does jobs in a thread of its own, one at a time, each within a limit of time. */
export class ExpressionThread {
  private worker: Worker | null = null; // null = none is running
  /** How much of the processor's time the thread had used when it last answered. */
  private usedMs = 0;

  /** @param timeLimitMs of the processor's time that one job may take */
  constructor(private readonly timeLimitMs: number) {}

  async run(job: Job): Promise<Answer> {
    const answered = new AbortController();
    const { signal } = answered;
    const worker = (this.worker ??= await this.start());
    try {
      worker.ref();
      const answer = once(worker, 'message', { signal }).then(([message]) => message as Reply);
      const death = once(worker, 'exit', { signal }).then(() => CRASHED);
      worker.postMessage(job);
      const reply = await Promise.race([answer, death, this.timeIsOver(worker, signal)]);
      this.usedMs = reply.usedMs;
      worker.unref();
      return reply.answer;
    } catch {
      await this.close();
      return CRASHED.answer;
    } finally {
      answered.abort();
    }
  }

  async close(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    await worker?.terminate();
  }

  private async start(): Promise<Worker> {
    const worker = new Worker(builtFile('expressions.worker.js'), {
      name: 'expressions',
      env: {},
      // jq writes there what it has to say when it breaks.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    });
    // A thread that fails exits, which is what matters.
    worker.on('error', nothing);
    worker.once('exit', () => {
      if (this.worker === worker) this.worker = null;
    });
    const [{ usedMs }] = (await once(worker, 'message')) as [Reply];
    this.usedMs = usedMs;
    return worker;
  }

  /** Resolves when the job has had its time, and ends the thread. */
  private async timeIsOver(worker: Worker, signal: AbortSignal): Promise<Reply> {
    const end = performance.now() + this.timeLimitMs * PATIENCE_FACTOR;
    for (let leftMs = this.timeLimitMs; leftMs > 0 && performance.now() < end;) {
      await elapsed(leftMs, signal);
      if (signal.aborted) return new Promise(nothing);
      // A busy machine may have given the thread less time than has passed.
      const { user, system } = await worker.cpuUsage();
      leftMs = this.timeLimitMs - ((user + system) / 1000 - this.usedMs);
    }
    if (signal.aborted) return new Promise(nothing);
    this.worker = null;
    worker.terminate().catch(nothing);
    return { answer: { kind: 'timeout' }, usedMs: 0 };
  }
}

function elapsed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Threads always run the built files, also in tests, which otherwise run from the sources. */
function builtFile(name: string): string {
  const path = fileURLToPath(new URL(name, import.meta.url));
  return import.meta.url.endsWith('.ts') ? path.replace(/libs(?=[\\/]open-workflow[\\/]src)/, 'dist/libs') : path;
}

const nothing = (): void => undefined;
