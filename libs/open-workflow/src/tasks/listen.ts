import { ANSWER_EVENT, type EventTest, type EventWait, type Question } from '../durable-steps.js';
import { partOf } from '../event-trigger.js';
import type { TaskResult } from '../execution.js';
import { asJson, isObject, textOf } from '../json.js';
import type { EventAttributes, ListenTask } from '../model.js';
import type { TaskRun } from '../task-run.js';
import { enclosedProgram } from '../templates.js';
import { standardError, WorkflowError } from '../workflow-error.js';

/** Waits for an event. The output is an array with the part of it that `read` selects. */
export async function listen({ listen: { to, read } }: ListenTask, run: TaskRun): Promise<TaskResult> {
  const { data, ...attributes } = to.one.with;
  const condition = typeof data === 'string' ? enclosedProgram(data) : undefined;
  const fits = condition === undefined ? undefined : testOf(condition, run);
  const wait = await waitFor(fits ? attributes : to.one.with, run);
  for (let round = 1; ; round++) {
    const step = round === 1 ? run.step : run.named(`!${round}`);
    if (wait.question) wait.with.subject = step.name;
    const event = await run.waitEvent(step, wait, fits);
    // Answers of people skip the test in engines; so did all events in runs from before engines tested them.
    if (!fits || (await run.branch.steps.busy(() => fits(event)))) return { output: [partOf(event, read)] };
    await run.countRound();
  }
}

async function waitFor(filter: EventAttributes, run: TaskRun): Promise<EventWait> {
  const expected = (await run.evaluation.template(asJson(filter), run.input)) as EventAttributes;
  return expected.type === ANSWER_EVENT ? { with: expected, question: await questionOf(run) } : { with: expected };
}

async function questionOf(run: TaskRun): Promise<Question> {
  const question = run.task.metadata?.question;
  if (!isObject(question))
    throw standardError('configuration', 'A task that listens for an answer needs `metadata.question`.');
  const message = await run.evaluation.template(question.message ?? null, run.input);
  if (message === null || textOf(message).trim() === '')
    throw standardError('expression', 'The `message` of the question is empty: a person could not answer it.');
  const schema = isObject(question.schema) ? question.schema : { type: 'object', properties: {} };
  return { message: textOf(message), schema, ...(question.notCaller === true && { notCaller: true }) };
}

/**
 * Returns the test for a condition on the data of an event. Data for which the evaluation fails does not match. Engines run the
 * test while they look for events, outside of the task's branch, which may be stopped meanwhile.
 */
function testOf(condition: string, run: TaskRun): EventTest {
  const evaluation = run.evaluation.with({}, { busy: (work) => work() });
  return async (event) => {
    try {
      return await evaluation.isTrue(condition, event.data ?? null);
    } catch (error) {
      if (error instanceof WorkflowError) return false;
      throw error;
    }
  };
}
