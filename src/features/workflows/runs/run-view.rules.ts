import type { Json } from '#open-workflow';
import type { ListedStep, OpenQuestion, Run } from './run.js';

/** The steps of a run that a client gets: the last ones, without inputs and outputs that are too long together. */
export const VIEWED_STEPS = { last: 200, longest: 4_000 } as const;
const LONGEST_DATA = 200_000;
const LONGEST_ERROR = 2_000;

export const runUri = (id: string): string => `run://${id}`;

/** The parts of a run that a client sees. */
export interface ViewedRun {
  run: Run;
  steps: readonly ListedStep[];
  stepCount: number;
  questions: readonly OpenQuestion[];
}

/** Returns the view of a run for a client, with its last steps. */
export function runView({ run, steps, stepCount, questions }: ViewedRun): object {
  const leftOut = stepCount - steps.length;
  return {
    ...run,
    input: shown(run.input),
    output: shown(run.output),
    ...(questions.length > 0 && {
      waitsFor: questions.map(({ step, question, notCaller, askedAt }) => ({ step, ...question, notCaller, askedAt })),
    }),
    ...(leftOut > 0 && { stepsBefore: `(${leftOut} steps; the administration shows them)` }),
    steps: steps.map(stepView),
  };
}

function stepView(step: ListedStep): object {
  const { name, task, attempt, kind, status, input, output, error, isCut, child, startedAt, endedAt } = step;
  return {
    name,
    task,
    ...(attempt > 1 && { attempt }),
    kind,
    status,
    startedAt,
    endedAt,
    ...(input !== null && { input }),
    ...(output !== null && { output }),
    ...(isCut && { data: '(input and output are long; the administration shows them)' }),
    ...(error !== null && { error: { ...error, detail: error.detail?.slice(0, LONGEST_ERROR) } }),
    ...(child !== null && { run: runUri(child) }),
  };
}

/** Returns a value as a client sees it: for a long one, only its length. */
export function shown(value: Json): Json {
  const { length } = JSON.stringify(value);
  return length <= LONGEST_DATA ? value : `(${length} characters of JSON; the administration shows them)`;
}
