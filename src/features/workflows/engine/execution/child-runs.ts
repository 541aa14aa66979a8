import { type Problem, type StepRef, type SubflowCall, WorkflowError } from '#open-workflow';
import { childIdOf, describeChild } from '../child-run.js';
import type { InsertedRun } from '../../runs/execution/claimed-run.js';
import { childRecord } from '../step-outcome.js';
import type { StepRecord } from '../step.store.js';
import type { Execution } from './execution.js';
import type { Scope } from './scope.js';

type Started = { record: Omit<StepRecord, 'status'> } & ({ id: string; at: string } | { error: Problem });

/** The runs that the steps of an execution start. */
export class ChildRuns {
  constructor(
    private readonly execution: Execution,
    private readonly scope: Scope,
  ) {}

  /** Starts the run of a step, unless it is already started; returns the error if it cannot be started. */
  async start(step: StepRef, call: Required<SubflowCall>, options: { await: boolean }): Promise<Started> {
    const { execution } = this;
    const { run, around, recorded } = execution;
    const now = around.now();
    const at = now.toISOString();
    const id = childIdOf(run, step);
    const record = { seq: execution.nextSeq(), kind: 'child', input: call.input, startedAt: at } as const;
    if (recorded.has(step.name)) return { record, id, at };
    const child = await execution.persist(() => this.tryDescribe(id, step, call));
    if (child instanceof WorkflowError) return { record, error: child.problem };
    const state = childRecord(record, id, options);
    await execution.write(this.scope, () => around.steps.recordChild(run, step, state, child, now));
    execution.listener.childInserted({ id, partition: child.partition });
    return { record, id, at };
  }

  private async tryDescribe(
    id: string,
    step: StepRef,
    call: Required<SubflowCall>,
  ): Promise<InsertedRun | WorkflowError> {
    const { run, around } = this.execution;
    try {
      return await describeChild({ run, step, call, id, partition: around.partition(), around, now: around.now() });
    } catch (error) {
      if (error instanceof WorkflowError) return error;
      throw error;
    }
  }
}
