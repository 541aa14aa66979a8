import { createHash } from 'node:crypto';
import { type Json, type Problem, standardError, type StepRef, type SubflowCall, WorkflowError } from '#open-workflow';
import type { InsertedRun } from '../claimed-run.js';
import type { Ending } from '../run-state.store.js';
import type { StepRecord } from '../step.store.js';
import type { Execution } from './execution.js';

const DEEPEST = 20;
const MOST_BELOW_ONE_ROOT = 10_000;

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
    const id = createHash('sha256').update(`${run.id} ${step.name}`).digest('hex').slice(0, 32);
    const record = { kind: 'child', input: call.input, startedAt: at } as const;
    if (recorded.has(step.name)) return { record, id, at };
    const child = await execution.persist(() => this.tryDescribe(id, step, call));
    if (child instanceof WorkflowError) return { record, error: child.problem };
    const state: StepRecord = options.await
      ? { ...record, status: 'waiting', wait: { child: id } }
      : { ...record, status: 'completed', wait: { child: id }, output: { runId: id }, endedAt: at };
    await execution.write(() => around.steps.recordChild(run, step, state, child, now));
    execution.listener.childInserted({ id, partition: child.partition });
    return { record, id, at };
  }

  /** Returns what the end of a run is for the step that waited for it. */
  resultOf(id: string, value: unknown): { value: Json } | { error: Problem } {
    const ending = value as Ending;
    switch (ending.status) {
      case 'completed':
        return { value: ending.output };
      case 'failed':
        return { error: ending.error };
      case 'cancelled':
        return { error: standardError('runtime', `The run ${id}, which this step waited for, was cancelled.`).problem };
    }
  }

  private async tryDescribe(id: string, step: StepRef, call: Required<SubflowCall>) {
    try {
      return await this.describe(id, step, call);
    } catch (error) {
      if (error instanceof WorkflowError) return error;
      throw error;
    }
  }

  /** @throws WorkflowError */
  private async describe(id: string, step: StepRef, call: Required<SubflowCall>): Promise<InsertedRun> {
    const { run, around } = this.execution;
    if (run.depth >= DEEPEST) {
      throw standardError('runtime', `Workflows may call each other at most ${DEEPEST} deep. Does one call itself?`);
    }
    if ((await around.states.countBelow(run.root)) >= MOST_BELOW_ONE_ROOT) {
      throw standardError(
        'runtime',
        `A run and the runs that it starts may be at most ${MOST_BELOW_ONE_ROOT} together.`,
      );
    }
    const called = await around.programs.calledBy(call);
    return {
      ...called,
      id,
      partition: around.partition(),
      parent: run.id,
      parentStep: step.name,
      root: run.root,
      depth: run.depth + 1,
      origin: 'parent',
      client: run.client,
      input: call.input,
      entry: null,
      takesOver: null,
      isTest: run.isTest,
      createdAt: around.now(),
      status: 'pending',
      idempotencyKey: null,
      hears: await around.programs.heardBy(called),
    };
  }
}
