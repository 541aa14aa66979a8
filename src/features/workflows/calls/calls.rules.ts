import type { OpenQuestion, Run } from '../runs/run.js';
import { waitsForPerson } from '../runs/waiting.rules.js';

/** Returns the message to a caller about a run that has not ended. @param page URL of the run's page */
export function waitingMessage(
  { id, name }: Pick<Run, 'id' | 'name'>,
  questions: readonly OpenQuestion[],
  page: string,
): string {
  const isAsking = questions.length > 0;
  return [
    `${name} has not ended: it continues as run://${id}, also when this conversation ends.`,
    isAsking
      ? `${waitsForPerson(questions, page)} For its result, call run_status with {"id": "${id}"} then;`
      : `To wait for its result, call run_status with {"id": "${id}", "wait_seconds": 20};`,
    `to stop it, run_cancel. Do not call ${name} again for this.`,
  ].join(' ');
}
