import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { startHostProcess } from './host-process.js';
import { type CallHandlers, ModuleFailed, ModuleInterrupted, CallNotStarted, Thread } from './module-thread.js';
import { Outbox } from './outbox.js';
import type { Ending, FromHost, HostLimits, LogLevel, ModuleCode, OpenedModule, ToHost } from './protocol.js';

/** A call, with its arguments as JSON. */
export interface ModuleCall {
  skill: string;
  input: string;
  context: string;
}

interface HostOptions {
  limits?: Partial<HostLimits>;
  /** How long an idle thread, and a host without threads, are kept, in milliseconds. */
  idleMs?: number;
  onLog?: (key: string, level: LogLevel, text: string) => void;
  /** Called when a module has used too much memory, blocked its thread, or crashed the host. */
  onOffence?: (key: string, message: string) => void;
}

const LIMITS: HostLimits = {
  openMs: 10_000,
  heapMegabytes: 64,
  bufferMegabytes: 128,
  hostMegabytes: 640,
  noticeMs: 2_000,
  endMs: 3_000,
};
const IDLE_MS = 60_000;
/** Maximum length of the host's last output when it dies. */
const LAST_WORDS = 500;

interface Host {
  process: ChildProcess;
  outbox: Outbox<ToHost>;
}

/**
 * Runs third-party modules in one child process, each in a thread with limits. The process starts with the first module, and ends
 * when idle. Whatever a module does to its thread or to the process, only running calls are lost.
 */
export class SkillHost {
  private readonly threads = new Map<string, Thread>();
  /** The same threads by the host's id: a module that is reopened gets another thread. */
  private readonly byId = new Map<string, Thread>();
  private readonly limits: HostLimits;
  private host: Host | null = null; // null = not needed, or ended
  private lastWords = '';
  private isClosed = false;
  /** Number of pending calls. */
  private awaited = 0;

  constructor(private readonly options: HostOptions = {}) {
    this.limits = { ...LIMITS, ...options.limits };
  }

  /** Process id of the host; null = not running. */
  get pid(): number | null {
    return this.host?.process.pid ?? null;
  }

  /** Starts the thread of a module if it is not running. @throws ModuleFailed; ModuleInterrupted when the module is not at fault */
  open(code: ModuleCode): Promise<OpenedModule> {
    return this.waitFor(() => this.threadOf(code).opened.promise);
  }

  /**
   * Opens a module if necessary, and calls one of its skills.
   * @returns JSON: `{"output":...}` or `{"questions":...}`
   * @throws ModuleFailed, and the reason of the signal
   */
  async call(code: ModuleCode, call: ModuleCall, handlers: CallHandlers, signal: AbortSignal): Promise<string> {
    try {
      return await this.waitFor(() => this.callIn(this.threadOf(code), call, handlers, signal));
    } catch (error) {
      if (!(error instanceof CallNotStarted)) throw error;
      return this.call(code, call, handlers, signal);
    }
  }

  private async callIn(thread: Thread, call: ModuleCall, handlers: CallHandlers, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const id = thread.begin(handlers);
    const cancel = () => {
      if (thread.cancel(id, signal.reason as Error)) this.send({ key: thread.id, type: 'cancel', id });
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      if (!thread.isOpen) await Promise.race([thread.opened.promise, thread.outcomeOf(id)]);
      if (!thread.isCancelled(id)) {
        thread.sent(id);
        this.send({ key: thread.id, type: 'call', id, ...call });
      }
      return await thread.outcomeOf(id);
    } finally {
      signal.removeEventListener('abort', cancel);
      thread.end(id);
      if (!thread.isBusy) this.endLater(thread);
    }
  }

  /** Ends the thread of a module once it has no calls. */
  release(key: string): void {
    const thread = this.threads.get(key);
    if (!thread) return;
    thread.isReleased = true;
    if (!thread.isBusy) this.close(thread);
  }

  /** Ends the child process, together with all calls. */
  async stop(): Promise<void> {
    this.isClosed = true;
    const { host } = this;
    if (host?.process.pid === undefined) return; // one that could not start has no exit event
    const exited = once(host.process, 'exit');
    host.process.ref();
    host.process.kill('SIGKILL');
    await exited;
  }

  /** Keeps this process alive until the host has answered; at other times, the host must not. */
  private async waitFor<T>(answer: () => Promise<T>): Promise<T> {
    this.awaited += 1;
    this.host?.process.channel?.ref();
    try {
      return await answer();
    } finally {
      this.awaited -= 1;
      if (this.awaited === 0) this.host?.process.channel?.unref();
    }
  }

  private threadOf(code: ModuleCode): Thread {
    const known = this.threads.get(code.key);
    if (known) return known;
    if (this.isClosed) throw new ModuleInterrupted('the service is stopping');
    const thread = new Thread(code.key);
    this.send({ type: 'open', ...code, key: thread.id }); // if it throws, the thread must not be known
    this.threads.set(code.key, thread);
    this.byId.set(thread.id, thread);
    return thread;
  }

  private send(message: ToHost): void {
    this.host ??= this.startHost();
    this.host.outbox.add(message);
  }

  protected startProcess(): ChildProcess {
    return startHostProcess(this.limits);
  }

  private startHost(): Host {
    const host = this.startProcess();
    this.lastWords = '';
    host.stderr?.on('data', (text: Buffer) => (this.lastWords = (this.lastWords + String(text)).slice(-LAST_WORDS)));
    host.on('message', (messages: FromHost[]) => {
      for (const message of messages) this.receive(message);
    });
    // A process that could not start has no exit event.
    host.on('error', ({ message }) => (host.pid === undefined ? this.hostEnded(host, message) : host.kill('SIGKILL')));
    host.on('exit', (code, signal) => this.hostEnded(host, signal ?? String(code)));
    host.unref();
    if (this.awaited === 0) host.channel?.unref();
    // If the process is gone, its events reject the pending calls.
    return { process: host, outbox: new Outbox((sent) => host.connected && host.send(sent, () => undefined)) };
  }

  private receive(message: FromHost): void {
    const thread = this.byId.get(message.key);
    if (!thread) return;
    if (message.type === 'log') this.options.onLog?.(thread.key, message.level, message.text);
    if (message.type === 'read') thread.files ??= message.files;
    if (message.type === 'opened') {
      thread.open(message.declaration);
      if (!thread.isBusy) this.endLater(thread);
    }
    if (message.type === 'refused') {
      thread.fail(new ModuleFailed(message.message));
      this.close(thread);
    }
    if (message.type === 'returned') thread.settle(message.id, message.output);
    if (message.type === 'failed') thread.settle(message.id, new ModuleFailed(message.message));
    if (message.type === 'cancelling') thread.noticed(message.id);
    if (message.type === 'progress') thread.progress(message.id, message.progress);
    if (message.type === 'request') this.serve(thread, message).catch(() => undefined); // the host is gone
    if (message.type === 'ended') this.threadEnded(thread, message.ending, message.message);
  }

  private async serve(thread: Thread, { id, request, asked }: Extract<FromHost, { type: 'request' }>): Promise<void> {
    const reply = await thread.request(id, asked).catch((error: unknown) => ({ error: messageOf(error) }));
    if (this.byId.has(thread.id)) this.send({ key: thread.id, type: 'reply', request, reply });
  }

  private threadEnded(thread: Thread, ending: Ending, message: string): void {
    this.forget(thread);
    const why = ending === 'threw' ? message : `it was stopped with all its calls: ${message}`;
    if (ending === 'blocked') thread.failThoseBehind(new CallNotStarted(message));
    thread.fail(ending === 'closed' ? new CallNotStarted(message) : new ModuleFailed(why));
    if (ending === 'memory' || ending === 'blocked') this.options.onOffence?.(thread.key, message);
    this.endHostLater();
  }

  private hostEnded(host: ChildProcess, how: string): void {
    if (this.host?.process !== host) return;
    this.host = null;
    const threads = [...this.byId.values()];
    for (const thread of threads) this.forget(thread);
    const why = this.isClosed ? 'the service is stopping' : `the process that runs modules ended (${how})`;
    const busy = threads.filter(({ isBusy }) => isBusy);
    for (const thread of threads) thread.fail(new ModuleInterrupted(why));
    // If several threads had calls, the culprit is unknown.
    const [suspect, another] = busy;
    const mayBeItsFault = host.pid !== undefined && !this.isClosed;
    if (suspect && !another && mayBeItsFault) this.options.onOffence?.(suspect.key, `${why} ${this.lastWords}`.trim());
  }

  private endLater(thread: Thread): void {
    if (thread.isReleased) return this.close(thread);
    thread.idle ??= setTimeout(() => !thread.isBusy && this.close(thread), this.options.idleMs ?? IDLE_MS).unref();
    thread.idle.refresh();
  }

  private close(thread: Thread): void {
    if (!this.byId.has(thread.id)) return;
    this.forget(thread);
    thread.fail(new CallNotStarted('it was not needed'));
    this.send({ type: 'close', key: thread.id });
    this.endHostLater();
  }

  private forget(thread: Thread): void {
    this.byId.delete(thread.id);
    if (this.threads.get(thread.key) === thread) this.threads.delete(thread.key);
  }

  private endHostLater(): void {
    const { host } = this;
    setTimeout(() => {
      if (this.byId.size > 0 || !host || this.host !== host) return;
      this.host = null;
      host.process.kill('SIGKILL');
    }, this.options.idleMs ?? IDLE_MS).unref();
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
