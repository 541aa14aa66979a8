import type { EventTest, EventWait, StepRef } from '#open-workflow';

/** Work that is under way: the run is not put aside before it has ended. */
export interface Call {
  kind: 'call';
}

/** A step that waits for a time, an event, or the end of another run. */
export interface Wait {
  kind: 'wait';
  step: StepRef;
  /** Null = no time is set. */
  wakeAt: Date | null;
  /** Called when the time has come. */
  onDue: () => void;
  /** Null = it waits for no event. */
  event: EventWait | null;
  /** What an event must pass besides; null = nothing. */
  fits: EventTest | null;
  /** The `seq` of the last event that it has looked at; 0 = none. */
  seen: number;
  /** The id of the run that it waits for; null = none. */
  child: string | null;
  /** Called with the news, once. */
  onNews: (news: News) => void;
  /** Called with what keeps it from looking at events, once. */
  onError: (error: unknown) => void;
}

type News = { at: string; value: unknown };

/** Steps that stop together: those of a whole run, or of one of several blocks. */
export class Scope {
  readonly operations = new Set<Call | Wait>();
  private readonly inner = new Set<Scope>();
  private readonly controller = new AbortController();

  /** @param counted counts the scopes within the outermost one */
  constructor(private readonly counted = { within: 0 }) {}

  /** How many scopes there are within the outermost one, this one included. */
  get count(): number {
    return this.counted.within;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isStopped(): boolean {
    return this.signal.aborted;
  }

  /** Returns a scope that stops with this one, or before. */
  within(): Scope {
    const scope = new Scope(this.counted);
    if (this.isStopped) scope.stop(this.signal.reason as Error);
    this.inner.add(scope);
    this.counted.within += 1;
    return scope;
  }

  /**
   * Stops everything in it: what is under way gets its signal, and nothing returns any more.
   * @param reason what the signal says; absent = what is under way is given up
   */
  stop(reason?: Error): void {
    for (const scope of this.inner) {
      scope.stop(reason);
      this.leave(scope);
    }
    this.operations.clear();
    this.controller.abort(reason);
  }

  /** Forgets a scope within it that has ended. */
  leave(scope: Scope): void {
    if (this.inner.delete(scope)) this.counted.within -= 1;
  }

  /** Lists the steps that wait, in here and within. */
  waits(): Wait[] {
    return [...this.all()].filter((operation) => operation.kind === 'wait');
  }

  /** Yields what is under way or waited for, in here and within. */
  *all(): Generator<Call | Wait> {
    yield* this.operations;
    for (const scope of this.inner) yield* scope.all();
  }
}

/** A promise that never settles: what it was waiting for belongs to an execution that has been stopped. */
export const never = (): Promise<never> => new Promise(() => {});
