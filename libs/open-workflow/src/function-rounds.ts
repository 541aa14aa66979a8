import { ANSWER_EVENT, type CloudEvent, type EventWait, type Question, type StepRef } from './durable-steps.js';
import { isObject, type Json, type JsonObject } from './json.js';
import { setOwn } from './templates.js';
import { standardError } from './workflow-error.js';
import type { InputNeeded, InputRound } from './workflow-host.js';

export interface RoundSteps {
  call(step: StepRef, round: InputRound): Promise<Json>;
  ask(step: StepRef, wait: EventWait): Promise<CloudEvent>;
}

const MAX_ROUNDS = 100;

/**
 * Calls a function. While it asks people for input, waits for the answers and calls it again. Step names of the second and later
 * rounds end in `!2` and so on; a question has `?` and its key before that.
 */
export async function callInRounds(step: StepRef, steps: RoundSteps): Promise<Json> {
  let round: InputRound = { answers: {}, state: null };
  for (let number = 1; number <= MAX_ROUNDS; number++) {
    const suffix = number === 1 ? '' : `!${number}`;
    const result = await steps.call({ ...step, name: step.name + suffix }, round);
    if (!isInputNeeded(result)) return result;
    const { questions, state } = result.$inputNeeded;
    const answers: JsonObject = {};
    await Promise.all(
      Object.entries(questions).map(async ([key, question]) => {
        const asked = { ...step, name: `${step.name}?${encodeKey(key)}${suffix}` };
        setOwn(answers, key, await answerTo(question, asked, steps));
      }),
    );
    round = { answers, state };
  }
  throw standardError('runtime', `The function asked for input ${MAX_ROUNDS} times, which is the limit.`, {
    instance: step.task,
  });
}

async function answerTo(question: Question, step: StepRef, steps: RoundSteps): Promise<Json> {
  const { data } = await steps.ask(step, { with: { type: ANSWER_EVENT, subject: step.name }, question });
  return data ?? null;
}

/** Returns whether a function asks people for input, to be called again with their answers. */
export function isInputNeeded(value: Json): value is InputNeeded {
  return isObject(value) && value.$inputNeeded !== undefined;
}

/** Escapes the key, so that it cannot be confused with the suffix of rounds. */
const encodeKey = (key: string): string => encodeURIComponent(key.toWellFormed()).replaceAll('!', '%21');
