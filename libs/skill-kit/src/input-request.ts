import type { JsonObject } from './content.js';

/**
 * A question to the caller: to the person (`elicitation/create`), to the assistant's model (`sampling/createMessage`),
 * or for the workspace folders (`roots/list`). Specification 2026-07-28, basic/patterns/mrtr.
 */
export interface InputRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  params?: JsonObject;
}

/** Says that a skill needs input to finish: it is executed again with the answers in `context.answers`. */
export interface InputRequired {
  inputRequests?: Record<string, InputRequest>;
  /** Any JSON value; passes through the client encrypted, and comes back as `context.state`. */
  state?: unknown;
}

const INPUT_REQUIRED = Symbol('InputRequired');

/**
 * Asks for inputs, under keys that the skill chooses.
 * @throws TypeError when there is neither an input request nor a `state`
 */
export function inputRequired(spec: InputRequired): InputRequired {
  if (!spec.state && Object.keys(spec.inputRequests ?? {}).length === 0) {
    throw new TypeError('inputRequired() needs at least one input request or a state');
  }
  return Object.defineProperty({ ...spec }, INPUT_REQUIRED, { value: true });
}

export function isInputRequired(value: unknown): value is InputRequired {
  return typeof value === 'object' && value !== null && INPUT_REQUIRED in value;
}

/** Asks the person to fill in a form; `requestedSchema` is a flat JSON Schema of primitive properties. */
export const elicit = (message: string, requestedSchema: JsonObject): InputRequest => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema },
});

/** Asks the assistant's model to continue a conversation. */
export const sample = (messages: JsonObject[], maxTokens: number, more: JsonObject = {}): InputRequest => ({
  method: 'sampling/createMessage',
  params: { ...more, messages, maxTokens },
});

/** Asks which folders the person works in. */
export const listRoots = (): InputRequest => ({ method: 'roots/list' });

/** Returns what the person entered; undefined when the question was not answered, or was declined or cancelled. */
export function acceptedAnswer(answers: Readonly<JsonObject>, key: string): JsonObject | undefined {
  const answer = Object.hasOwn(answers, key) ? answers[key] : undefined;
  if (!isObject(answer) || answer['action'] !== 'accept') return undefined;
  return isObject(answer['content']) ? answer['content'] : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
