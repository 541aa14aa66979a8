import { Worker } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { describe } from './module-error.js';
import { Outbox } from './outbox.js';
import type { Ending, FromHost, FromThread, HostLimits, ModuleCode, ToHost, ToThread } from './protocol.js';
import { LINES_A_SECOND, Rate } from './rate.js';
import { readFromThread } from './thread-messages.js';

/** How often to check the memory of threads with calls. */
const CHECK_EVERY_MS = 100;
/** How long an ended thread takes to release its memory. */
const CALM_MS = 500;
/** Maximum number of a call's unanswered requests. */
const MOST_REQUESTS = 20;
/** How many reports of progress a call may send in a second: twice as many as its context does. */
const REPORTS_A_SECOND = 20;
const MEGABYTE = 1_048_576;
const THREAD = fileURLToPath(new URL('module.worker.js', import.meta.url));
const limits = JSON.parse(process.argv[2] ?? '{}') as HostLimits;

interface Call {
  reports: Rate;
  /** Number of its unanswered requests. */
  requests: number;
  /** When it was cancelled: ends the thread unless the call notices, then unless it ends. */
  timer: NodeJS.Timeout | undefined;
  hasNoticed: boolean;
}

const newCall = (): Call => ({
  reports: new Rate(REPORTS_A_SECOND),
  requests: 0,
  timer: undefined,
  hasNoticed: false,
});

/** A thread, which may send anything: a module can reach its port. The limits hold here. */
class ModuleThread {
  private readonly worker: Worker;
  private readonly calls = new Map<number, Call>();
  private readonly asked = new Map<number, Call>();
  private readonly lines = new Rate(LINES_A_SECOND);
  private hasRead = false;
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
    this.worker.on('message', (sent: unknown) => this.receive(readFromThread(sent)));
    this.worker.on('error', (error: unknown) => this.failed(error));
    this.worker.on('exit', () => this.ended());
  }

  get isBusy(): boolean {
    return this.opening !== null || this.calls.size > 0;
  }

  send(message: ToThread): void {
    if (message.type === 'call') this.calls.set(message.id, newCall());
    if (message.type === 'cancel') this.expectToNotice(message.id);
    if (message.type === 'reply') this.answered(message.request);
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

  private receive(message: FromThread | null): void {
    if (!message) this.end('threw', 'it sent what is no message of a module');
    else if (this.accepts(message)) send({ ...message, key: this.code.key });
  }

  /** Returns whether the service should get a message. */
  private accepts(message: FromThread): boolean {
    if (message.type === 'log') return this.lines.allows();
    if (message.type === 'read') return !this.hasRead && (this.hasRead = true);
    if (message.type === 'opened' || message.type === 'refused') return this.opened();
    const call = this.calls.get(message.id);
    if (message.type === 'request') return this.mayAsk(call, message.request);
    if (!call) return false;
    if (message.type === 'progress') return call.reports.allows();
    if (message.type === 'cancelling') return this.expectToEnd(call);
    clearTimeout(call.timer);
    return this.calls.delete(message.id);
  }

  /** Returns whether it was still opening. */
  private opened(): boolean {
    if (!this.opening) return false;
    clearTimeout(this.opening);
    this.opening = null;
    return true;
  }

  private mayAsk(call: Call | undefined, request: number): boolean {
    if (this.asked.has(request)) return false;
    if (!call) return this.refuse(request, 'the call has ended');
    if (call.requests >= MOST_REQUESTS)
      return this.refuse(request, `a call may wait for ${MOST_REQUESTS} requests at once`);
    call.requests += 1;
    this.asked.set(request, call);
    return true;
  }

  private refuse(request: number, error: string): false {
    this.worker.postMessage({ type: 'reply', request, reply: { error } } satisfies ToThread);
    return false;
  }

  private answered(request: number): void {
    const call = this.asked.get(request);
    if (call) call.requests -= 1;
    this.asked.delete(request);
  }

  private expectToNotice(id: number): void {
    const call = this.calls.get(id);
    if (!call) return;
    call.timer = setTimeout(
      () => this.end('blocked', 'it was busy without a pause when a call was cancelled'),
      limits.noticeMs,
    );
  }

  private expectToEnd(call: Call): boolean {
    if (!call.timer || call.hasNoticed) return false;
    clearTimeout(call.timer);
    call.hasNoticed = true;
    call.timer = setTimeout(() => this.end('blocked', 'a call went on after it was cancelled'), limits.endMs);
    return true;
  }

  private failed(error: unknown): void {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      this.end('memory', `it needs more than ${limits.heapMegabytes} MB of heap`);
    else this.end('threw', describe(error, this.code.file));
  }

  private ended(): void {
    this.opened();
    if (this.ending !== null) leaving -= 1;
    calmUntil = performance.now() + CALM_MS;
    for (const { timer } of this.calls.values()) clearTimeout(timer);
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
process.on('uncaughtException', (error) => {
  // A module can reach the port by which Node controls its thread. What Node cannot read from there, it throws without our code.
  const frames = String(error.stack).match(/^ {4}at .*/gm) ?? [];
  const isOfNode = frames.every((frame) => frame.includes('node:'));
  if (!isOfNode || !frames.some((frame) => frame.includes('node:internal/worker:'))) throw error;
});
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
