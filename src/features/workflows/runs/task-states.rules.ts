import type { Run, StepKind, StepStatus } from './run.js';

/** The state of a task of a run. */
export type TaskState = 'running' | 'waiting' | 'asking' | 'completed' | 'failed' | 'cancelled';

/** The steps of a task that have the same kind and status. */
export interface StepsOfTask {
  /** JSON Pointer of the task in the definition. */
  task: string;
  kind: StepKind;
  status: StepStatus;
  /** Number of the last one in the order of their start. */
  last: number;
}

const UNDER_WAY: readonly TaskState[] = ['asking', 'running', 'waiting'];

/**
 * Returns the state of each task that has begun. Of several steps of a task, unfinished ones take precedence, then the last one.
 */
export function taskStatesOf(
  { status, error }: Pick<Run, 'status' | 'error'>,
  steps: readonly StepsOfTask[],
): { task: string; state: TaskState }[] {
  const states = new Map<string, TaskState>();
  for (const [task, ofTask] of Map.groupBy(steps, (step) => step.task)) {
    const found = ofTask.toSorted((one, other) => one.last - other.last).map(stateOf);
    states.set(task, UNDER_WAY.find((state) => found.includes(state)) ?? found.at(-1) ?? 'completed');
  }
  // The task that failed may have no step.
  if (status === 'failed' && error?.instance !== undefined) states.set(error.instance, 'failed');
  return [...states].map(([task, state]) => ({ task, state }));
}

function stateOf({ kind, status }: StepsOfTask): TaskState {
  if (status === 'started') return 'running';
  return status === 'waiting' && kind === 'question' ? 'asking' : status;
}
