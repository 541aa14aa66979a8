import type { ModuleReply, ModuleRequest, OpenedModule, Progress } from './protocol.js';

/** What calls of a module can have done. */
export interface CallHandlers {
  /** Does what the module asks for. What it throws, the module gets as an error. */
  request(asked: ModuleRequest, signal: AbortSignal): Promise<ModuleReply>;
  progress(progress: Progress): void;
}

/** Thrown when a module cannot be loaded, or a call of it fails; the message says why, and where. */
export class ModuleFailed extends Error {}

/** Thrown when the module may be right: the process that runs all modules ended, or its thread was not needed. Later it may go well. */
export class ModuleInterrupted extends ModuleFailed {}

/** The thread was ended before the call began: it had nothing to do, or did not react any more. */
export class NotBegun extends ModuleInterrupted {}

interface Call {
  handlers: CallHandlers;
  outcome: PromiseWithResolvers<string>;
  /** Null until something needs to know. */
  cancelled: AbortController | null;
  isCancelled: boolean;
  /** What it has asked for, and has not got yet. */
  requests: number;
  /** Whether it was sent while the thread did not react. */
  isBehind: boolean;
}

/** What the service knows of the thread of a module. */
export class Thread {
  readonly id = String((lastThread += 1));
  readonly opened = Promise.withResolvers<OpenedModule>();
  isOpen = false;
  idle: NodeJS.Timeout | undefined;
  /** Whether it is to end when its calls have. */
  isReleased = false;
  private readonly calls = new Map<number, Call>();
  /** Cancelled calls of which the thread has not heard: it is busy, and does nothing that was sent later. */
  private readonly unnoticed = new Set<number>();

  constructor(readonly key: string) {
    this.opened.promise.catch(() => undefined); // calls may have gone meanwhile
  }

  open(opened: OpenedModule): void {
    this.isOpen = true;
    this.opened.resolve(opened);
  }

  get isBusy(): boolean {
    return this.calls.size > 0;
  }

  begin(handlers: CallHandlers): number {
    const id = (lastCall += 1);
    const outcome = Promise.withResolvers<string>();
    outcome.promise.catch(() => undefined);
    this.calls.set(id, { handlers, outcome, cancelled: null, isCancelled: false, requests: 0, isBehind: false });
    return id;
  }

  outcomeOf(id: number): Promise<string> {
    return this.calls.get(id)?.outcome.promise ?? Promise.reject(new ModuleFailed('the call has ended'));
  }

  isCancelled(id: number): boolean {
    return this.calls.get(id)?.isCancelled ?? true;
  }

  /** Gives a call up; returns whether it was under way. */
  cancel(id: number, reason: Error): boolean {
    const call = this.calls.get(id);
    if (!call) return false;
    call.isCancelled = true;
    call.cancelled?.abort(reason);
    call.outcome.reject(reason);
    this.unnoticed.add(id);
    return true;
  }

  sent(id: number): void {
    const call = this.calls.get(id);
    if (call) call.isBehind = this.unnoticed.size > 0;
  }

  noticed(id: number): void {
    this.unnoticed.delete(id);
    if (this.unnoticed.size === 0) for (const call of this.calls.values()) call.isBehind = false;
  }

  /** Gives up the calls that cannot have begun. */
  failThoseBehind(error: NotBegun): void {
    for (const { isBehind, outcome } of this.calls.values()) if (isBehind) outcome.reject(error);
  }

  settle(id: number, outcome: string | ModuleFailed): void {
    const call = this.calls.get(id);
    if (typeof outcome === 'string') call?.outcome.resolve(outcome);
    else call?.outcome.reject(outcome);
  }

  end(id: number): void {
    const call = this.calls.get(id);
    // What it has asked for and does not wait for any more ends, too.
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
    for (const { outcome } of this.calls.values()) outcome.reject(error);
  }
}

let lastCall = 0;
let lastThread = 0;
