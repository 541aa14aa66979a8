import {
  type BlockRef,
  type CloudEvent,
  type ConcurrentOutcome,
  type Concurrency,
  type DurableSteps,
  type EffectCall,
  type EventTest,
  type EventWait,
  type Json,
  type Outcome,
  type RunInfo,
  type StepRef,
  type SubflowCall,
  type StepProgress,
} from '#open-workflow';
import { replacedInputOf } from '../../runs/execution/claimed-run.js';
import { endedStep, hasOutcome, isOver, settle, SHOWN_AFTER_MS, type StepResult, toOutcome } from '../step-outcome.js';
import type { StepRecord, StoredStep } from '../step.store.js';
import { RestateBlocks } from './restate-blocks.js';
import { RestateChildren } from './restate-children.js';
import { RestateEvents, toEvent } from './restate-events.js';
import type { Branch } from './branch.js';

/** A finished sleep, or one to wait for. */
type Sleep = { at: string } | { wakeAt: string; startedAt: string };

/**
 * The steps of a run on Restate. Restate's journal records what has been done, and the tables show it; if a process dies between
 * the two writes, the tables count.
 */
export class RestateSteps implements DurableSteps {
  readonly run: RunInfo;

  constructor(
    private readonly branch: Branch,
    private readonly replacedInputs: ReadonlyMap<string, Json>,
  ) {
    this.run = { id: branch.run.id, startedAt: branch.run.createdAt.toISOString() };
  }

  effect(step: StepRef, shown: Json, act: (call: EffectCall) => Promise<Json>): Promise<Outcome> {
    const seq = this.branch.nextSeq();
    return this.branch.once(step.name, step.name, (known) =>
      hasOutcome(known) ? Promise.resolve(toOutcome(known)) : this.perform(step, shown, act, known, seq),
    );
  }

  private async perform(
    step: StepRef,
    shown: Json,
    act: (call: EffectCall) => Promise<Json>,
    before: StoredStep | undefined,
    seq: number,
  ): Promise<Outcome> {
    const { branch } = this;
    const record: Omit<StepRecord, 'status'> = {
      seq,
      kind: 'effect',
      starts: (before?.starts ?? 0) + 1,
      input: shown,
      startedAt: before?.startedAt ?? now(),
    };
    let showing: Promise<void> = Promise.resolve();
    const show = () => (showing = branch.record(step, { ...record, status: 'started' }));
    if (before) await show();
    // Errors are reported where the end of the step is awaited.
    const timer = before ? undefined : setTimeout(() => void show().catch(() => {}), SHOWN_AFTER_MS);
    const signal = branch.signal;
    const report = (progress: StepProgress) => branch.around.reports.stepProgressed(branch.run, step, progress);
    const result = await settle(() => act({ signal, idempotencyKey: `${branch.run.id}:${step.name}`, report }));
    clearTimeout(timer);
    await showing;
    // The error may only mean that the step was stopped, so it must not be recorded. A value is recorded even then, so that
    // another attempt finds it.
    if (signal.aborted && 'error' in result) throw new Error('The step was stopped.');
    return this.recordOutcome(step, record, result);
  }

  /** Records the outcome of a step, unless another attempt was faster: then that outcome counts. */
  private async recordOutcome(step: StepRef, record: Omit<StepRecord, 'status'>, result: StepResult): Promise<Outcome> {
    const { branch } = this;
    const { runs, reports } = branch.around;
    const { ending, outcome } = endedStep(record, result, now());
    if (!(await branch.write(step, ending))) {
      const found = await branch.persist(() => runs.findState(branch.run.id, step.name));
      if (hasOutcome(found?.step)) return toOutcome(found.step);
      return branch.lose();
    }
    if (isOver(outcome)) reports.stepEnded(branch.run, step);
    return outcome;
  }

  async sleep(step: StepRef, durationMs: (now: Date) => number): Promise<{ at: string }> {
    const { branch } = this;
    const seq = branch.nextSeq();
    const planned = await branch.once(step.name, step.name, async (known): Promise<Sleep> => {
      if (hasOutcome(known)) return { at: known.endedAt ?? known.startedAt };
      const at = new Date();
      const wakeAt = known?.wakeAt ?? new Date(at.getTime() + durationMs(at));
      const startedAt = known?.startedAt ?? at.toISOString();
      if (!known) await branch.record(step, { seq, kind: 'sleep', status: 'waiting', startedAt, wakeAt });
      await branch.rest(wakeAt);
      return { wakeAt: wakeAt.toISOString(), startedAt };
    });
    if ('at' in planned) return planned;
    const { wakeAt, startedAt } = planned;
    await branch.await(branch.context.sleep(Math.max(0, Date.parse(wakeAt) - Date.now())));
    return branch.once(`${step.name} over`, step.name, async (known) => {
      if (!hasOutcome(known)) {
        await branch.record(step, { seq, kind: 'sleep', status: 'completed', startedAt, endedAt: wakeAt });
        branch.around.reports.stepEnded(branch.run, step);
      }
      return { at: wakeAt };
    });
  }

  async waitEvent(step: StepRef, wait: EventWait, fits?: EventTest): Promise<{ event: CloudEvent; at: string }> {
    const { branch } = this;
    const events = new RestateEvents(branch, step, wait, fits);
    let seen = 0;
    for (let round = 1; ; round++) {
      const name = round === 1 ? step.name : `${step.name} ${round}`;
      const awakeable = branch.context.awakeable();
      const found = await branch.once(name, step.name, (known) => {
        if (!hasOutcome(known)) return events.listen(awakeable.id, seen, known);
        return round === 1 ? Promise.resolve(toEvent(known)) : events.over(known);
      });
      if ('event' in found) return found;
      seen = found.seen;
      await branch.await(awakeable.promise);
      // Each entry of Restate's journal has a cost: this saves one by checking the end together with the next events.
      if (!events.areTested) return branch.once(`${name} over`, step.name, (known) => events.over(known));
    }
  }

  child(step: StepRef, call: Required<SubflowCall>, options: { await: boolean }): Promise<Outcome> {
    return new RestateChildren(this.branch, (...ended) => this.recordOutcome(...ended)).run(step, call, options);
  }

  concurrent(step: StepRef, blocks: BlockRef[], options: Concurrency): Promise<ConcurrentOutcome> {
    return new RestateBlocks(this.branch, step, options).execute(blocks);
  }

  /** There is nothing to hold: Restate does not suspend the branch in the meantime. */
  busy<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  replacedInput(step: StepRef): Json | undefined {
    return this.replacedInputs.get(replacedInputOf(step.name));
  }
}

const now = (): string => new Date().toISOString();
