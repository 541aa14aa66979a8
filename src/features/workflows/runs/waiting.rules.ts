import type { OpenQuestion } from './run.js';

const LONGEST_ASKED = 500;

/**
 * Describes for whom a run waits and where to answer, and that polling is useless.
 * @param questions at least one
 * @param page URL of the run's page
 */
export function waitsForPerson(questions: readonly OpenQuestion[], page: string): string {
  const asked = questions.map(({ question }) => question.message).join(' / ');
  const shown = asked.length <= LONGEST_ASKED ? asked : `${asked.slice(0, LONGEST_ASKED).toWellFormed()}...`;
  const who = questions.every(({ notCaller }) => notCaller)
    ? 'An administrator answers, whoever called cannot'
    : 'Your user answers in the view of the run, where it is shown, or an administrator does';
  return `It waits for a person (${shown}). ${who}: ${page}. That may take hours, so do not poll: tell your user, and look again when it is answered.`;
}
