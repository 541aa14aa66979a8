import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CloudEvent, matchesEvent } from '#open-workflow';
import type { ClaimedRun } from '../../runs/execution/claimed-run.js';
import type { Surroundings } from './execution-listener.js';
import type { Scope, Wait } from './scope.js';

/** How long one search may block the main thread. */
const TURN_MS = 15;

/** The parts of an execution that it needs. */
interface Execution {
  readonly run: ClaimedRun;
  readonly around: Surroundings;
  persist<T>(work: () => Promise<T>): Promise<T>;
  write(scope: Scope, work: () => Promise<boolean>): Promise<void>;
}

/** Delivers to the steps of an execution what they wait for: arrived events, and the ends of other runs. */
export class AwaitedNews {
  constructor(
    private readonly execution: Execution,
    private readonly scope: Scope,
  ) {}

  async deliver(): Promise<void> {
    await this.deliverEvents();
    await this.deliverEndings();
  }

  private async deliverEvents(): Promise<void> {
    // Steps that start to wait in the meantime check separately.
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

  /** Gives an event to the first step that waits for a matching one. */
  private async consume(seq: number, event: CloudEvent, waits: readonly Wait[]): Promise<void> {
    const wait = await this.findWaitFor(
      event,
      waits.filter(({ seen }) => seen < seq),
    );
    if (!wait) return;
    const at = this.execution.around.now().toISOString();
    const { run, around } = this.execution;
    // The recorded start of the step is kept.
    const record = { kind: 'event', status: 'completed', output: event, startedAt: at, endedAt: at } as const;
    try {
      await this.execution.write(this.scope, () => around.steps.consume(run, wait.step, { seq: 0, ...record }, seq));
    } catch (error) {
      return wait.onError(error);
    }
    wait.onNews({ at, value: event });
  }

  /** Yields to the event loop, because there may be thousands of slow filters. */
  private async findWaitFor(event: CloudEvent, waits: readonly Wait[]): Promise<Wait | undefined> {
    let turn = performance.now() + TURN_MS;
    for (const wait of waits) {
      if (performance.now() > turn) {
        await nextTurn();
        turn = performance.now() + TURN_MS;
      }
      // The wait may have been settled in the meantime.
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

  private async deliverEndings(): Promise<void> {
    const waits = this.scope.waits().filter(({ child }) => child !== null);
    const ids = waits.map(({ child }) => child ?? '');
    const endings = await this.execution.persist(() => this.execution.around.states.listEndings(ids));
    for (const wait of waits) {
      const ended = endings.get(wait.child ?? '');
      if (ended) wait.onNews({ at: ended.at, value: ended.ending });
    }
  }
}

/** Returns the `seq` up to which all waits have checked events. */
export const seenByAll = (waits: readonly Wait[]): number => Math.min(...waits.map(({ seen }) => seen));
