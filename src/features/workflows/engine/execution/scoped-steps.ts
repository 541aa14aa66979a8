import {
  type BlockRef,
  type BlockResult,
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
} from '#open-workflow';
import { resultOf } from '../child-run.js';
import { replacedInputOf } from '../../runs/execution/claimed-run.js';
import type { Ending } from '../run-ending.table.js';
import { endedStep, hasOutcome, isOver, settle, SHOWN_AFTER_MS, type StepResult, toOutcome } from '../step-outcome.js';
import { seenBy, type StepRecord, type StoredStep } from '../step.store.js';
import { ChildRuns } from './child-runs.js';
import { ConcurrentBlocks } from './concurrent-blocks.js';
import type { Execution } from './execution.js';
import { never, type Scope, type Wait } from './scope.js';

/** The steps of one execution, in one scope of it. */
export class ScopedSteps implements DurableSteps {
  readonly run: RunInfo;

  constructor(
    private readonly execution: Execution,
    private readonly scope: Scope,
  ) {
    this.run = { id: execution.run.id, startedAt: execution.run.createdAt.toISOString() };
  }

  effect(step: StepRef, shown: Json, act: (call: EffectCall) => Promise<Json>): Promise<Outcome> {
    const known = this.ended(step);
    if (known) return Promise.resolve(toOutcome(known));
    if (this.isAbandoned(step)) return never();
    return this.execution.during(this.scope, () => this.perform(step, shown, act));
  }

  private async perform(step: StepRef, shown: Json, act: (call: EffectCall) => Promise<Json>): Promise<Outcome> {
    const { execution, scope } = this;
    const before = execution.recorded.get(step.name);
    const record: Omit<StepRecord, 'status'> = {
      seq: before?.seq ?? execution.nextSeq(),
      kind: 'effect',
      starts: (before?.starts ?? 0) + 1,
      input: shown,
      startedAt: before?.startedAt ?? this.now(),
    };
    let showing: Promise<void> = Promise.resolve();
    const show = () => {
      if (scope.isStopped) return;
      showing = execution.write(scope, () =>
        execution.around.steps.record(execution.run, step, { ...record, status: 'started' }),
      );
      // Errors are reported where the end of the step is awaited.
      showing.catch(() => {});
    };
    if (before) {
      show();
      this.execution.log(step, 'warning', 'Begun again, because the process that executed it has stopped.');
    }
    const timer = before ? undefined : setTimeout(show, SHOWN_AFTER_MS);
    const result = await settle(() =>
      act({
        signal: scope.signal,
        idempotencyKey: `${execution.run.id}:${step.name}`,
        report: (progress) => execution.around.reports.stepProgressed(execution.run, step, progress),
      }),
    );
    clearTimeout(timer);
    if (scope.isStopped) return never();
    await showing;
    return this.recordOutcome(step, record, result);
  }

  /** Records the outcome of a step, and returns only once it is recorded. */
  private async recordOutcome(step: StepRef, record: Omit<StepRecord, 'status'>, result: StepResult): Promise<Outcome> {
    const { execution } = this;
    const { ending, outcome } = endedStep(record, result, this.now());
    await execution.write(this.scope, () => execution.around.steps.record(execution.run, step, ending));
    if ('error' in result) execution.log(step, 'warning', result.error.detail ?? result.error.type);
    if (isOver(outcome)) execution.around.reports.stepEnded(execution.run, step);
    return outcome;
  }

  async sleep(step: StepRef, durationMs: (now: Date) => number): Promise<{ at: string }> {
    const known = this.ended(step);
    if (known) return { at: known.endedAt ?? known.startedAt };
    if (this.isAbandoned(step)) return never();
    const before = this.execution.recorded.get(step.name);
    const startedAt = before?.startedAt ?? this.now();
    const now = this.execution.around.now();
    const wakeAt = before?.wakeAt ?? new Date(now.getTime() + durationMs(now));
    const seq = before?.seq ?? this.execution.nextSeq();
    const record: StepRecord = { seq, kind: 'sleep', status: 'waiting', startedAt, wakeAt };
    if (!before) await this.write(step, record);
    const at = wakeAt.toISOString();
    await this.waitFor({ step, wakeAt });
    await this.write(step, { ...record, status: 'completed', endedAt: at });
    this.execution.around.reports.stepEnded(this.execution.run, step);
    return { at };
  }

  async waitEvent(step: StepRef, event: EventWait, fits?: EventTest): Promise<{ event: CloudEvent; at: string }> {
    const known = this.ended(step);
    const { run, around } = this.execution;
    if (known && this.execution.endedMeanwhile(known)) around.reports.stepEnded(run, step);
    if (known) return { event: known.output as CloudEvent, at: known.endedAt ?? known.startedAt };
    if (this.isAbandoned(step)) return never();
    if (!this.execution.recorded.has(step.name)) {
      const record: StepRecord = {
        seq: this.execution.nextSeq(),
        kind: event.question ? 'question' : 'event',
        status: 'waiting',
        startedAt: this.now(),
        wait: { event, ...(fits && { isTested: true }) },
      };
      if (event.question) await this.ask(step, record);
      else await this.write(step, record);
    }
    const seen = seenBy(this.execution.recorded.get(step.name));
    const { at, value } = await this.waitFor({ step, event, fits: fits ?? null, seen });
    around.reports.stepEnded(run, step);
    return { event: value as CloudEvent, at };
  }

  async child(step: StepRef, call: Required<SubflowCall>, options: { await: boolean }): Promise<Outcome> {
    const known = this.ended(step);
    if (known) return toOutcome(known);
    if (this.isAbandoned(step)) return never();
    const children = new ChildRuns(this.execution, this.scope);
    const started = await this.execution.during(this.scope, () => children.start(step, call, options));
    if ('error' in started) return this.during(() => this.recordOutcome(step, started.record, started));
    if (!options.await) return { ok: true, value: { runId: started.id }, at: started.at };
    const { value } = await this.waitFor({ step, child: started.id });
    return this.during(() => this.recordOutcome(step, started.record, resultOf(started.id, value as Ending)));
  }

  concurrent(
    step: StepRef,
    blocks: BlockRef[],
    options: Concurrency,
    execute: (block: BlockRef, steps: DurableSteps) => Promise<BlockResult>,
  ): Promise<ConcurrentOutcome> {
    const known = this.ended(step);
    if (known) return Promise.resolve(known.output as ConcurrentOutcome);
    if (this.isAbandoned(step)) return never();
    return new ConcurrentBlocks(this.execution, this.scope, step, options).execute(blocks, (block, scope) =>
      execute(block, new ScopedSteps(this.execution, scope)),
    );
  }

  busy<T>(work: () => Promise<T>): Promise<T> {
    return this.during(work);
  }

  replacedInput(step: StepRef): Json | undefined {
    return this.execution.recorded.get(replacedInputOf(step.name))?.output;
  }

  private async ask(step: StepRef, record: StepRecord): Promise<void> {
    const { run, around } = this.execution;
    await this.during(() => this.execution.write(this.scope, () => around.steps.recordQuestion(run, step, record)));
    around.reports.running(run);
  }

  private during<T>(work: () => Promise<T>): Promise<T> {
    return this.execution.during(this.scope, work);
  }

  private write(step: StepRef, record: StepRecord): Promise<void> {
    const { run, around } = this.execution;
    return this.during(() => this.execution.write(this.scope, () => around.steps.record(run, step, record)));
  }

  /** Waits for a time, for news, or both. */
  private waitFor(waited: Pick<Wait, 'step'> & Partial<Wait>): Promise<{ at: string; value: unknown }> {
    const nothing = { wakeAt: null, event: null, fits: null, seen: 0, child: null };
    return new Promise((resolve, reject) => {
      const wait: Wait = {
        kind: 'wait',
        ...nothing,
        ...waited,
        onDue: () => wait.onNews({ at: this.now(), value: undefined }),
        onNews: (news) => {
          this.execution.settled(this.scope, wait);
          resolve(news);
        },
        onError: (error) => {
          this.execution.settled(this.scope, wait);
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      };
      this.execution.wait(this.scope, wait);
    });
  }

  private ended({ name }: StepRef): StoredStep | undefined {
    const step = this.execution.recorded.get(name);
    return hasOutcome(step) ? step : undefined;
  }

  /**
   * Returns whether a step was intentionally stopped. The process may have died afterwards, before it recorded the outcome of the
   * blocks around it.
   */
  private isAbandoned({ name }: StepRef): boolean {
    return this.execution.recorded.get(name)?.status === 'cancelled';
  }

  private now(): string {
    return this.execution.around.now().toISOString();
  }
}
