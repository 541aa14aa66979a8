import { createHash } from 'node:crypto';
import { type Json, type Problem, standardError, type StepRef, type SubflowCall } from '#open-workflow';
import { DEEPEST_CALL } from '#skill-kit';
import type { ClaimedRun, InsertedRun } from '../runs/execution/claimed-run.js';
import type { Programs } from '../runs/execution/program.js';
import type { Ending } from './run-ending.table.js';
import type { RunStateStore } from './run-state.store.js';

const MOST_BELOW_ONE_ROOT = 10_000;

interface ChildCall {
  run: ClaimedRun;
  step: StepRef;
  call: Required<SubflowCall>;
  id: string;
  partition: number;
  around: { states: RunStateStore; programs: Programs };
  now: Date;
}

/** Returns the id of the run that a step starts: deterministic. */
export const childIdOf = ({ id }: ClaimedRun, { name }: StepRef): string =>
  createHash('sha256').update(`${id} ${name}`).digest('hex').slice(0, 32);

/** Returns the run that a step starts. @throws WorkflowError when the step may not start it, or there is no such workflow */
export async function describeChild({ run, step, call, id, partition, around, now }: ChildCall): Promise<InsertedRun> {
  if (run.depth >= DEEPEST_CALL) {
    throw standardError('runtime', `Workflows may call each other at most ${DEEPEST_CALL} deep. Does one call itself?`);
  }
  if ((await around.states.countBelow(run.root)) >= MOST_BELOW_ONE_ROOT) {
    throw standardError('runtime', `A run and the runs that it starts may be at most ${MOST_BELOW_ONE_ROOT} together.`);
  }
  const { isTest, client } = run;
  const called = { ...(await around.programs.calledBy(call, run)), isTest, client };
  return {
    ...called,
    id,
    partition,
    parent: run.id,
    parentStep: step.name,
    root: run.root,
    depth: run.depth + 1,
    origin: 'parent',
    input: call.input,
    entry: null,
    takesOver: null,
    createdAt: now,
    status: 'pending',
    idempotencyKey: null,
    eventTypes: await around.programs.eventTypesOf(called),
  };
}

/** Converts the end of a run to the result of the step that waited for it. */
export function resultOf(id: string, ending: Ending): { value: Json } | { error: Problem } {
  switch (ending.status) {
    case 'completed':
      return { value: ending.output };
    case 'failed':
      return { error: errorOfChild(id, ending.error) };
    case 'cancelled':
      return { error: standardError('runtime', `The run ${id}, which this step waited for, was cancelled.`).problem };
  }
}

/** Moves the failed task, which belongs to the child, into the detail: for the parent, the step that ran the child has failed. */
function errorOfChild(id: string, { instance, ...error }: Problem): Problem {
  const where = `at ${instance ?? 'the beginning'} of run://${id}`;
  return { ...error, detail: error.detail === undefined ? where : `${error.detail} (${where})` };
}
