import { Worker } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { Outbox } from './outbox.js';
import type { Ending, FromHost, FromThread, HostLimits, ModuleCode, ToHost, ToThread } from './protocol.js';

/** How often to check the memory of threads with calls. */
const CHECK_EVERY_MS = 100;
/** How long an ended thread takes to release its memory. */
const CALM_MS = 500;
const MEGABYTE = 1_048_576;
const THREAD = fileURLToPath(new URL('module.worker.js', import.meta.url));
const limits = JSON.parse(process.argv[2] ?? '{}') as HostLimits;

class ModuleThread {
  private readonly worker: Worker;
  private readonly calls = new Set<number>();
  private readonly cancelled = new Map<number, NodeJS.Timeout>();
  private opening: NodeJS.Timeout | null; // null = it is open
  private ending: Ending | null = null; // null = not ended by the host
  private problem = '';

  constructor(readonly code: ModuleCode) {
    this.opening = setTimeout(
      () => this.end('blocked', `it did not load within ${limits.openMs / 1_000} s`),
      limits.openMs,
    );
    const resourceLimits = { maxOldGenerationSizeMb: limits.heapMegabytes, maxYoungGenerationSizeMb: 16 };
    const workerData: ModuleCode = code;
    // With `execArgv`, even an empty one, the thread would lose the permissions of the process: it would have all.
    this.worker = new Worker(THREAD, { name: code.key, env: {}, argv: [], workerData, resourceLimits });
    this.worker.on('message', (message: FromThread) => this.receive(message));
    this.worker.on('error', (error: unknown) => this.failed(error));
    this.worker.on('exit', () => this.ended());
  }

  get isBusy(): boolean {
    return this.opening !== null || this.calls.size > 0;
  }

  send(message: ToThread): void {
    if (message.type === 'call') this.calls.add(message.id);
    if (message.type === 'cancel') this.expectToNotice(message.id);
    this.worker.postMessage(message);
  }

  end(ending: Ending, problem: string): void {
    if (this.ending !== null) return;
    this.ending = ending;
    leaving += 1;
    this.problem = problem;
    this.worker.terminate().catch(() => undefined);
  }

  /** Returns its memory in bytes. */
  async memory(): Promise<number> {
    const { external_memory, total_heap_size } = await this.worker.getHeapStatistics();
    return external_memory + total_heap_size;
  }

  async checkMemory(): Promise<void> {
    const { external_memory } = await this.worker.getHeapStatistics();
    if (external_memory > limits.bufferMegabytes * MEGABYTE)
      this.end('memory', `it needs more than ${limits.bufferMegabytes} MB of buffers`);
  }

  private receive(message: FromThread): void {
    if (message.type === 'opened' || message.type === 'refused') this.opened();
    if (message.type === 'returned' || message.type === 'failed') this.settled(message.id);
    if (message.type === 'cancelling') this.expectToEnd(message.id);
    send({ ...message, key: this.code.key });
  }

  private opened(): void {
    if (this.opening) clearTimeout(this.opening);
    this.opening = null;
  }

  private settled(id: number): void {
    this.calls.delete(id);
    clearTimeout(this.cancelled.get(id));
    this.cancelled.delete(id);
  }

  private expectToNotice(id: number): void {
    if (!this.calls.has(id)) return;
    this.cancelled.set(
      id,
      setTimeout(() => this.end('blocked', 'it was busy without a pause when a call was cancelled'), limits.noticeMs),
    );
  }

  private expectToEnd(id: number): void {
    const noticing = this.cancelled.get(id);
    if (!noticing) return;
    clearTimeout(noticing);
    this.cancelled.set(
      id,
      setTimeout(() => this.end('blocked', 'a call went on after it was cancelled'), limits.endMs),
    );
  }

  private failed(error: unknown): void {
    const { code, message } =
      error instanceof Error ? (error as NodeJS.ErrnoException) : { code: '', message: String(error) };
    if (code === 'ERR_WORKER_OUT_OF_MEMORY')
      this.end('memory', `it needs more than ${limits.heapMegabytes} MB of heap`);
    else this.end('threw', message);
  }

  private ended(): void {
    this.opened();
    if (this.ending !== null) leaving -= 1;
    calmUntil = performance.now() + CALM_MS;
    for (const timer of this.cancelled.values()) clearTimeout(timer);
    if (threads.get(this.code.key) === this) threads.delete(this.code.key);
    send({
      key: this.code.key,
      type: 'ended',
      ending: this.ending ?? 'threw',
      message: this.problem || 'its thread ended',
    });
  }
}

const threads = new Map<string, ModuleThread>();
/** Number of threads that are being terminated. */
let leaving = 0;
let calmUntil = 0;
const outbox = new Outbox<FromHost>((messages) => process.send?.(messages, undefined, {}, () => undefined));
const send = (message: FromHost) => outbox.add(message);

process.on('message', (messages: ToHost[]) => {
  for (const message of messages) receive(message);
});
process.on('disconnect', () => process.exit());
setInterval(() => void checkThreads().catch(() => undefined), CHECK_EVERY_MS);

function receive(message: ToHost): void {
  const { key } = message;
  if (message.type === 'open') threads.set(key, new ModuleThread(message));
  else if (message.type === 'close') threads.get(key)?.end('closed', 'it was not needed');
  else threads.get(key)?.send(message);
}

async function checkThreads(): Promise<void> {
  const busy = [...threads.values()].filter((thread) => thread.isBusy);
  await Promise.all(busy.map((thread) => thread.checkMemory().catch(() => undefined)));
  // Terminating threads release their memory.
  if (leaving > 0 || performance.now() < calmUntil) return;
  if (process.memoryUsage.rss() <= limits.hostMegabytes * MEGABYTE) return;
  const idle = [...threads.values()].filter((thread) => !thread.isBusy);
  if (idle.length > 0) for (const thread of idle) thread.end('closed', 'its memory was needed');
  else await endLargest(busy);
}

async function endLargest(busy: readonly ModuleThread[]): Promise<void> {
  const sizes = await Promise.all(busy.map((thread) => thread.memory().catch(() => 0)));
  const largest = busy[sizes.indexOf(Math.max(...sizes))];
  // Blobs and messages on their way are in no thread's statistics: with several, the culprit is unknown.
  const ending = busy.length === 1 ? 'memory' : 'crowded';
  largest?.end(ending, `all modules together need more than ${limits.hostMegabytes} MB`);
}
