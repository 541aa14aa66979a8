import type { OpenQuestion, Run, RunStep } from './run.js';

/** Longer inputs and outputs of steps are left out, in JSON characters. */
const LONGEST_SHOWN = 4_000;

export const runUri = (id: string): string => `run://${id}`;

/** Returns what a client reads of a run, with its steps. */
export function runView(run: Run, steps: readonly RunStep[], questions: readonly OpenQuestion[]): object {
  return {
    ...run,
    ...(questions.length > 0 && {
      waitsFor: questions.map(({ step, question, askedAt }) => ({ step, ...question, askedAt })),
    }),
    steps: steps.map(({ name, task, attempt, kind, status, input, output, error, child, startedAt, endedAt }) => ({
      name,
      task,
      ...(attempt > 1 && { attempt }),
      kind,
      status,
      startedAt,
      endedAt,
      ...(input !== null && { input: shown(input) }),
      ...(output !== null && { output: shown(output) }),
      ...(error !== null && { error }),
      ...(child !== null && { run: runUri(child) }),
    })),
  };
}

function shown(value: unknown): unknown {
  const { length } = JSON.stringify(value);
  return length <= LONGEST_SHOWN ? value : `(${length} characters of JSON; the administration shows them)`;
}
