import { isDeepStrictEqual } from 'node:util';
import { ANSWER_EVENT, type CloudEvent, type EventWait, type Question } from '../durable-steps.js';
import type { TaskResult } from '../execution.js';
import { asJson, isObject, type Json, textOf } from '../json.js';
import type { EventAttributes, ListenTask } from '../model.js';
import type { TaskRun } from '../task-run.js';
import { enclosedProgram } from '../templates.js';
import { standardError, WorkflowError } from '../workflow-error.js';

/** Waits for an event. The output is an array with what `read` says of it. */
export async function listen({ listen: { to, read = 'data' } }: ListenTask, run: TaskRun): Promise<TaskResult> {
  const { data, ...attributes } = to.one.with;
  const condition = typeof data === 'string' ? enclosedProgram(data) : undefined;
  const filter: EventAttributes = condition === undefined ? to.one.with : attributes;
  const wait = await waitFor(filter, run);
  for (let round = 1; ; round++) {
    const step = round === 1 ? run.step : run.named(`!${round}`);
    if (wait.question) wait.with.subject = step.name;
    const event = await run.waitEvent(step, wait);
    if (condition === undefined || (await fits(event, condition, run)))
      return { output: [read === 'data' ? (event.data ?? null) : event] };
    await run.countRound();
  }
}

async function waitFor(filter: EventAttributes, run: TaskRun): Promise<EventWait> {
  const expected = (await run.evaluation.template(asJson(filter), run.input)) as EventAttributes;
  return expected.type === ANSWER_EVENT ? { with: expected, question: await questionOf(run) } : { with: expected };
}

/** Returns the question of a task that listens for the answer of a person. */
async function questionOf(run: TaskRun): Promise<Question> {
  const question = run.task.metadata?.question;
  if (!isObject(question))
    throw standardError('configuration', 'A task that listens for an answer needs `metadata.question`.');
  const message = await run.evaluation.template(question.message ?? '', run.input);
  const schema = isObject(question.schema) ? question.schema : { type: 'object', properties: {} };
  return { message: textOf(message), schema, ...(question.notCaller === true && { notCaller: true }) };
}

/**
 * Returns whether the data of an event is what an expression about it asks for: true, or equal to its value. Data that
 * the expression cannot be evaluated for is not.
 */
async function fits(event: CloudEvent, condition: string, run: TaskRun): Promise<boolean> {
  const data: Json = event.data ?? null;
  try {
    const result = await run.evaluation.value(condition, data);
    return typeof result === 'boolean' ? result : isDeepStrictEqual(result, data);
  } catch (error) {
    if (error instanceof WorkflowError) return false;
    throw error;
  }
}
