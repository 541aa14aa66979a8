import type { Problem } from '#open-workflow';
import { hasEnded, type ListedStep, type OpenQuestion, type Run } from './run.js';
import { runUri, shown, type ViewedRun } from './run-view.rules.js';
import type { RunStatusQuestion, RunStatusResult, RunStatusStep } from './run-status.schema.js';
import { stepLabel } from './step-label.rules.js';
import { waitsForPerson } from './waiting.rules.js';

/** The steps that a caller gets; the resource has all of them. */
export const LAST_STEPS = { last: 20, longest: 0 } as const;
const LONGEST_ERROR = 500;
/** Checking again sooner than this would show nothing new. */
const SOON_MS = 30_000;
const NOT_ENDED = 'It has not ended. Call again with wait_seconds to wait for it.';

/**
 * Returns the status of a run for a caller: its progress, its outcome, and what to do next.
 * @param page URL of the run's page
 */
export function statusOf({ run, steps, stepCount, questions }: ViewedRun, page: string, now: Date): RunStatusResult {
  return {
    uri: runUri(run.id),
    id: run.id,
    name: run.name,
    status: run.status,
    startedAt: run.createdAt.toISOString(),
    ...(run.endedAt && { endedAt: run.endedAt.toISOString() }),
    page,
    ...(stepCount > steps.length && { stepsBefore: stepCount - steps.length }),
    steps: steps.map(toStep),
    waitsFor: questions.map(toQuestion),
    ...(run.status === 'completed' && { output: shown(run.output) }),
    ...(run.error && { error: toErrorText(run.error) }),
    hint: hasEnded(run.status) ? endOf(run, page) : nextFor({ run, steps, questions }, page, now),
  };
}

export function describeStatus(status: RunStatusResult): string {
  const { name, uri, page, startedAt, endedAt, stepsBefore, steps, error, output, hint } = status;
  const times = `started ${startedAt}${endedAt === undefined ? '' : `, ended ${endedAt}`}`;
  const before = stepsBefore === undefined ? [] : [`- ${stepsBefore} before these`];
  return [
    `${name} is ${status.status} (${uri}), ${times}. People see it at ${page}.`,
    ...(steps.length > 0 ? ['Its last steps:', ...before, ...steps.map(lineOf)] : []),
    ...(error === undefined ? [] : [`Error: ${error}`]),
    ...(output === undefined ? [] : [`Output: ${typeof output === 'string' ? output : JSON.stringify(output)}`]),
    hint,
  ].join('\n');
}

function lineOf({ label, status, error, run }: RunStatusStep): string {
  return `- ${label}: ${status}${error === undefined ? '' : ` (${error})`}${run === undefined ? '' : `, ${run}`}`;
}

function toStep(step: ListedStep): RunStatusStep {
  const { status, error, child, startedAt, endedAt } = step;
  return {
    label: stepLabel(step),
    status,
    startedAt: startedAt.toISOString(),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
    ...(error && { error: toErrorText(error) }),
    ...(child !== null && { run: runUri(child) }),
  };
}

const toQuestion = ({ step, question, notCaller, askedAt }: OpenQuestion): RunStatusQuestion => ({
  step,
  message: question.message,
  schema: question.schema,
  notCaller,
  askedAt: askedAt.toISOString(),
});

function toErrorText({ title, detail, type }: Problem): string {
  return (detail ?? title ?? type).slice(0, LONGEST_ERROR).toWellFormed();
}

function endOf({ status, name }: Run, page: string): string {
  if (status === 'completed') return 'It has ended: output is its result.';
  if (status === 'cancelled') return 'It was cancelled, and does not go on.';
  return `It has failed, and does not go on. Once the cause is gone, call ${name} again, or have an administrator repeat it from the step that failed: ${page}.`;
}

function nextFor(
  { run, steps, questions }: Pick<ViewedRun, 'run' | 'steps' | 'questions'>,
  page: string,
  now: Date,
): string {
  if (questions.length > 0) return waitsForPerson(questions, page);
  if (run.status !== 'waiting') return NOT_ENDED;
  const waiting = steps.filter(({ status }) => status === 'waiting');
  const child = waiting.find((step) => step.child !== null)?.child;
  if (child) return `It waits for another run: look at that one, run_status with {"id": "${runUri(child)}"}.`;
  const { wakeAt } = run;
  if (wakeAt && wakeAt.getTime() - now.getTime() <= SOON_MS) return NOT_ENDED;
  const event = waiting.some(({ kind }) => kind === 'event') ? ' for an event' : '';
  const time = wakeAt ? ` until ${wakeAt.toISOString()}${event && ' at most'}` : '';
  return event || time ? `It waits${event}${time}. Do not poll: look again then.` : NOT_ENDED;
}
