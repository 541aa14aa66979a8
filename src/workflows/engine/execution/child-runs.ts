import { type Problem, type StepRef, type SubflowCall, WorkflowError } from '#open-workflow';
import { childIdOf, describeChild } from '../child-run.js';
import type { InsertedRun } from '../claimed-run.js';
import type { StepRecord } from '../step.store.js';
import type { Execution } from './execution.js';

type Started = { record: Omit<StepRecord, 'status'> } & ({ id: string; at: string } | { error: Problem });

/** The runs that the steps of an execution start. */
export class ChildRuns {
  constructor(private readonly execution: Execution) {}

  /** Starts the run of a step, if it has not been started; says what keeps it from being started. */
  async start(step: StepRef, call: Required<SubflowCall>, options: { await: boolean }): Promise<Started> {
    const { execution } = this;
    const { run, around, recorded } = execution;
    const now = around.now();
    const at = now.toISOString();
    const id = childIdOf(run, step);
    const record = { kind: 'child', input: call.input, startedAt: at } as const;
    if (recorded.has(step.name)) return { record, id, at };
    let child: InsertedRun;
    try {
      child = await describeChild({ run, step, call, id, partition: around.partition(), around, now });
    } catch (error) {
      if (error instanceof WorkflowError) return { record, error: error.problem };
      throw error;
    }
    const state: StepRecord = options.await
      ? { ...record, status: 'waiting', wait: { child: id } }
      : { ...record, status: 'completed', wait: { child: id }, output: { runId: id }, endedAt: at };
    await execution.write(() => around.steps.recordChild(run, step, state, child, now));
    execution.listener.childInserted({ id, partition: child.partition });
    return { record, id, at };
  }
}
