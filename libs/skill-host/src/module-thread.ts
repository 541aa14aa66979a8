import { InFlight } from '#in-flight';
import type { ModuleFiles, ModuleReply, ModuleRequest, OpenedModule, Progress } from './protocol.js';

export interface CallHandlers {
  /** Handles a request of the module. The module gets thrown errors as errors. */
  request(asked: ModuleRequest, signal: AbortSignal): Promise<ModuleReply>;
  progress(progress: Progress): void;
}

/** Thrown when a module cannot be loaded, or a call of it fails; the message says why, and where. */
export class ModuleFailed extends Error {}

/**
 * Thrown for reasons outside of the module: the process that runs all modules ended, or its thread was not needed. A retry may
 * succeed.
 */
export class ModuleInterrupted extends ModuleFailed {}

/** Thrown when the thread was ended before the call started: it was idle, or no longer responded. */
export class CallNotStarted extends ModuleInterrupted {}

interface Call {
  handlers: CallHandlers;
  outcome: PromiseWithResolvers<string>;
  /** Null until needed. */
  cancelled: AbortController | null;
  isCancelled: boolean;
  /** Number of requests that are still unanswered. */
  requests: number;
  isSent: boolean;
  /** True when it was sent while the thread did not respond. */
  isBehind: boolean;
}

/** The service's view of a module's thread. */
export class Thread {
  readonly id = String((lastThread += 1));
  readonly opened = Promise.withResolvers<OpenedModule>();
  /** Its files without types; null = not read yet. */
  files: ModuleFiles | null = null;
  isOpen = false;
  idle: NodeJS.Timeout | undefined;
  /** True when the thread should end after its calls. */
  isReleased = false;
  private readonly calls = new InFlight<Call>();
  /** Cancelled calls that the thread has not noticed yet: it is busy, and has not started calls sent later. */
  private readonly unnoticed = new Set<number>();

  constructor(readonly key: string) {
    this.opened.promise.catch(() => undefined); // the caller may be gone by then
  }

  open(declaration: string): void {
    this.isOpen = true;
    this.opened.resolve({ declaration, files: this.files ?? {} });
  }

  get isBusy(): boolean {
    return this.calls.size > 0;
  }

  begin(handlers: CallHandlers): number {
    const outcome = Promise.withResolvers<string>();
    outcome.promise.catch(() => undefined);
    const state = { cancelled: null, isCancelled: false, requests: 0, isSent: false, isBehind: false };
    return this.calls.add({ handlers, outcome, ...state });
  }

  outcomeOf(id: number): Promise<string> {
    return this.calls.get(id)?.outcome.promise ?? Promise.reject(new ModuleFailed('the call has ended'));
  }

  isCancelled(id: number): boolean {
    return this.calls.get(id)?.isCancelled ?? true;
  }

  /** Cancels a call; returns whether the thread must be told. */
  cancel(id: number, reason: Error): boolean {
    const call = this.calls.get(id);
    if (!call) return false;
    call.isCancelled = true;
    call.cancelled?.abort(reason);
    call.outcome.reject(reason);
    if (call.isSent) this.unnoticed.add(id);
    return call.isSent;
  }

  sent(id: number): void {
    const call = this.calls.get(id);
    if (!call) return;
    call.isSent = true;
    call.isBehind = this.unnoticed.size > 0;
  }

  noticed(id: number): void {
    this.unnoticed.delete(id);
    if (this.unnoticed.size === 0) for (const { item } of this.calls) item.isBehind = false;
  }

  /** Rejects the calls that cannot have started. */
  failThoseBehind(error: CallNotStarted): void {
    for (const { item } of this.calls) if (item.isBehind) item.outcome.reject(error);
  }

  settle(id: number, outcome: string | ModuleFailed): void {
    this.noticed(id); // the call may have been cancelled when it had just ended
    const call = this.calls.get(id);
    if (typeof outcome === 'string') call?.outcome.resolve(outcome);
    else call?.outcome.reject(outcome);
  }

  end(id: number): void {
    const call = this.calls.get(id);
    // Requests that the call no longer waits for are cancelled, too.
    if (call && call.requests > 0) call.cancelled?.abort(new ModuleFailed('the call has ended'));
    this.calls.delete(id);
  }

  progress(id: number, progress: Progress): void {
    this.calls.get(id)?.handlers.progress(progress);
  }

  async request(id: number, asked: ModuleRequest): Promise<ModuleReply> {
    const call = this.calls.get(id);
    if (!call || call.isCancelled) throw new ModuleFailed('the call has ended');
    call.requests += 1;
    try {
      call.cancelled ??= new AbortController();
      return await call.handlers.request(asked, call.cancelled.signal);
    } finally {
      call.requests -= 1;
    }
  }

  fail(error: ModuleFailed): void {
    clearTimeout(this.idle);
    this.opened.reject(error);
    for (const { item } of this.calls) item.outcome.reject(error);
  }
}

let lastThread = 0;
