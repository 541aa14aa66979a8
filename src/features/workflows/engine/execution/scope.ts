import type { EventTest, EventWait, StepRef } from '#open-workflow';

/** Work in progress: the run is not suspended before it has ended. */
export interface Call {
  kind: 'call';
}

/** A step that waits for a time, an event, or the end of another run. */
export interface Wait {
  kind: 'wait';
  step: StepRef;
  /** null = no time. */
  wakeAt: Date | null;
  /** Called at that time. */
  onDue: () => void;
  /** null = it waits for no event. */
  event: EventWait | null;
  /** An additional test that an event must pass; null = none. */
  fits: EventTest | null;
  /** The `seq` of the last checked event; 0 = none. */
  seen: number;
  /** The id of the awaited run; null = none. */
  child: string | null;
  /** Called once, with the news. */
  onNews: (news: News) => void;
  /** Called once, with an error that prevents checking events. */
  onError: (error: unknown) => void;
}

type News = { at: string; value: unknown };

/** Steps that stop together: those of a whole run, or of one of several blocks. */
export class Scope {
  readonly operations = new Set<Call | Wait>();
  private readonly inner = new Set<Scope>();
  private readonly controller = new AbortController();

  /** @param counted the number of scopes within the outermost one */
  constructor(private readonly counted = { within: 0 }) {}

  /** Number of scopes within the outermost one, including this one. */
  get count(): number {
    return this.counted.within;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isStopped(): boolean {
    return this.signal.aborted;
  }

  /** Returns an inner scope, which stops with this one, or before. */
  within(): Scope {
    const scope = new Scope(this.counted);
    if (this.isStopped) scope.stop(this.signal.reason as Error);
    this.inner.add(scope);
    this.counted.within += 1;
    return scope;
  }

  /**
   * Stops everything in it: calls in progress are signalled, and nothing returns any more.
   * @param reason the reason of the signal; absent = calls in progress are abandoned
   */
  stop(reason?: Error): void {
    for (const scope of this.inner) {
      scope.stop(reason);
      this.leave(scope);
    }
    this.operations.clear();
    this.controller.abort(reason);
  }

  /** Removes an inner scope that has ended. */
  leave(scope: Scope): void {
    if (this.inner.delete(scope)) this.counted.within -= 1;
  }

  /** Lists the waiting steps in this scope and inner ones. */
  waits(): Wait[] {
    return [...this.all()].filter((operation) => operation.kind === 'wait');
  }

  /** Yields the calls and waits in this scope and inner ones. */
  *all(): Generator<Call | Wait> {
    yield* this.operations;
    for (const scope of this.inner) yield* scope.all();
  }
}

/** A promise that never settles, for callers in a stopped execution. */
export const never = (): Promise<never> => new Promise(() => {});
