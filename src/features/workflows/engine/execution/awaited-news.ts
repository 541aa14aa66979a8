import { setImmediate as giveWay } from 'node:timers/promises';
import { type CloudEvent, matchesEvent } from '#open-workflow';
import type { ClaimedRun } from '../../runs/execution/claimed-run.js';
import type { Surroundings } from './execution-listener.js';
import type { Scope, Wait } from './scope.js';

/** How long the main thread may belong to one search. */
const TURN_MS = 15;

/** What it needs of an execution. */
interface Execution {
  readonly run: ClaimedRun;
  readonly around: Surroundings;
  persist<T>(work: () => Promise<T>): Promise<T>;
  write(scope: Scope, work: () => Promise<boolean>): Promise<void>;
}

/** Brings the steps of an execution what they wait for: events that have come, and the ends of other runs. */
export class AwaitedNews {
  constructor(
    private readonly execution: Execution,
    private readonly scope: Scope,
  ) {}

  async bring(): Promise<void> {
    await this.bringEvents();
    await this.bringEndings();
  }

  private async bringEvents(): Promise<void> {
    // Those that begin to wait meanwhile have a look of their own.
    const waits = this.scope.waits().filter(({ event }) => event);
    if (waits.length === 0) return;
    const events = await this.execution.persist(() =>
      this.execution.around.steps.listEvents(this.execution.run.id, seenByAll(waits)),
    );
    for (const { seq, event, step } of events) {
      if (step === null) await this.consume(seq, event, waits);
      else
        this.scope
          .waits()
          .find((wait) => wait.step.name === step)
          ?.onNews({ at: event.time ?? '', value: event });
      for (const wait of waits) wait.seen = Math.max(wait.seen, seq);
    }
  }

  /** Gives an event to the first step that waits for one like it. */
  private async consume(seq: number, event: CloudEvent, waits: readonly Wait[]): Promise<void> {
    const wait = await this.findWaitFor(
      event,
      waits.filter(({ seen }) => seen < seq),
    );
    if (!wait) return;
    const at = this.execution.around.now().toISOString();
    const { run, around } = this.execution;
    // What is recorded of its beginning stays as it is.
    const record = { kind: 'event', status: 'completed', output: event, startedAt: at, endedAt: at } as const;
    try {
      await this.execution.write(this.scope, () => around.steps.consume(run, wait.step, { seq: 0, ...record }, seq));
    } catch (error) {
      return wait.onError(error);
    }
    wait.onNews({ at, value: event });
  }

  /** Gives way to others meanwhile, because there may be thousands of filters that each take their time. */
  private async findWaitFor(event: CloudEvent, waits: readonly Wait[]): Promise<Wait | undefined> {
    let turn = performance.now() + TURN_MS;
    for (const wait of waits) {
      if (performance.now() > turn) {
        await giveWay();
        turn = performance.now() + TURN_MS;
      }
      // Others may have settled it before, or do so while it looks.
      if ((await this.isFor(wait, event)) && this.scope.waits().includes(wait)) return wait;
    }
    return undefined;
  }

  private async isFor(wait: Wait, event: CloudEvent): Promise<boolean> {
    if (!wait.event || wait.event.question || !matchesEvent(wait.event.with, event)) return false;
    if (!wait.fits) return true;
    if (!this.scope.waits().includes(wait)) return false;
    try {
      return await wait.fits(event);
    } catch (error) {
      wait.onError(error);
      return false;
    }
  }

  private async bringEndings(): Promise<void> {
    const waits = this.scope.waits().filter(({ child }) => child !== null);
    const ids = waits.map(({ child }) => child ?? '');
    const endings = await this.execution.persist(() => this.execution.around.states.listEndings(ids));
    for (const wait of waits) {
      const ended = endings.get(wait.child ?? '');
      if (ended) wait.onNews({ at: ended.at, value: ended.ending });
    }
  }
}

/** Returns the `seq` up to which all of them have looked at events. */
export const seenByAll = (waits: readonly Wait[]): number => Math.min(...waits.map(({ seen }) => seen));
