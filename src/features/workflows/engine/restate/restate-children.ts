import type * as RestateSdk from '@restatedev/restate-sdk';
import { type Outcome, type StepRef, type SubflowCall, WorkflowError } from '#open-workflow';
import { childIdOf, describeChild, resultOf } from '../child-run.js';
import { type InsertedRun, ON_RESTATE } from '../../runs/execution/claimed-run.js';
import { childRecord, hasOutcome, type StepResult, toOutcome } from '../step-outcome.js';
import type { StepRecord } from '../step.store.js';
import { RUNS } from './services.js';
import type { Branch } from './branch.js';

type RecordOutcome = (step: StepRef, record: Omit<StepRecord, 'status'>, result: StepResult) => Promise<Outcome>;

/**
 * The result of starting a run: the outcome if the step has already ended or the run cannot be started, or else the record of the
 * step.
 */
type Started = { outcome: Outcome } | { record: Omit<StepRecord, 'status'> };

/** The runs that the steps of a run on Restate start. */
export class RestateChildren {
  constructor(
    private readonly branch: Branch,
    private readonly recordOutcome: RecordOutcome,
  ) {}

  /** Runs another workflow as a step, and optionally waits for it. */
  async run(step: StepRef, call: Required<SubflowCall>, options: { await: boolean }): Promise<Outcome> {
    const { branch } = this;
    const id = childIdOf(branch.run, step);
    const seq = branch.nextSeq();
    const started = await branch.once(step.name, step.name, async (known): Promise<Started> => {
      if (hasOutcome(known)) return { outcome: toOutcome(known) };
      const record = { seq, kind: 'child', input: call.input, startedAt: known?.startedAt ?? now() } as const;
      if (!known) {
        const outcome = await this.start(id, step, call, record, options);
        if (outcome) return { outcome };
      }
      if (options.await) await branch.rest(null);
      return { record };
    });
    if ('outcome' in started) return started.outcome;
    const inputSerde = branch.around.sdk.serde.json as RestateSdk.Serde<{ id: string }>;
    const invocation = { ...RUNS, parameter: { id }, inputSerde, idempotencyKey: id };
    if (!options.await) {
      branch.context.genericSend(invocation);
      return { ok: true, value: { runId: id }, at: started.record.startedAt };
    }
    await branch.settled(branch.context.genericCall(invocation));
    return branch.once(`${step.name} over`, step.name, async (known) =>
      hasOutcome(known)
        ? toOutcome(known)
        : this.recordOutcome(step, started.record, resultOf(id, await this.ending(id))),
    );
  }

  /** Inserts the run of a step. Returns the outcome if it cannot be started. */
  private async start(
    id: string,
    step: StepRef,
    call: Required<SubflowCall>,
    record: Omit<StepRecord, 'status'>,
    options: { await: boolean },
  ): Promise<Outcome | null> {
    const { run, around } = this.branch;
    const now = new Date();
    let child: InsertedRun;
    try {
      child = await describeChild({
        run,
        step,
        call,
        id,
        partition: ON_RESTATE,
        around: { states: around.stores.states, programs: around.programs },
        now,
      });
    } catch (error) {
      if (error instanceof WorkflowError) return this.recordOutcome(step, record, { error: error.problem });
      throw error;
    }
    const state = childRecord(record, id, options);
    if (!(await around.stores.steps.recordChild(run, step, state, child, now))) await this.branch.lose();
    return null;
  }

  /** Returns the end of a run whose invocation has ended. */
  private async ending(id: string) {
    const { states } = this.branch.around.stores;
    const ended = (await states.listEndings([id])).get(id);
    if (ended) return ended.ending;
    // An operator of Restate has ended the invocation.
    const { cancelled } = await states.cancel(id, new Date());
    for (const run of cancelled) this.branch.around.reports.cancelled(run);
    return { status: 'cancelled' } as const;
  }
}

const now = (): string => new Date().toISOString();
