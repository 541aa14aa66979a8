import type { OpenQuestion, Run } from '../runs/run.js';

/** Returns what a caller is told of a run that has not ended. */
export function waitingMessage({ id, name }: Pick<Run, 'id' | 'name'>, questions: readonly OpenQuestion[]): string {
  const asked = questions.map(({ question }) => question.message).join(' / ');
  const state =
    questions.length > 0
      ? `waits for the answer of a person (${asked}), which can be given in the administration under Runs`
      : 'is still running';
  return (
    `${name} ${state}. It continues as run://${id}, also when this conversation ends. To wait for its result, call ` +
    `run_status with {"id": "${id}", "wait_seconds": 20}; to stop it, run_cancel. Do not call ${name} again for this.`
  );
}
