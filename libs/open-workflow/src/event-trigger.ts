import type { CloudEvent } from './durable-steps.js';
import { matchesEvent } from './event-matching.js';
import type { Expressions } from './expressions.js';
import type { Json } from './json.js';
import type { EventAttributes, Schedule } from './model.js';
import { enclosedProgram } from './templates.js';

/**
 * Returns whether an event starts a workflow with this schedule. As in a `listen` task, `with.data` may be an expression over the
 * data of the event, which must be truthy.
 * @throws WorkflowError (expression) when the expression fails
 */
export async function isStartedBy(
  schedule: Schedule | undefined,
  event: CloudEvent,
  expressions: Expressions,
): Promise<boolean> {
  if (!schedule?.on) return false;
  const { data: expected, ...attributes } = schedule.on.one.with;
  const condition = typeof expected === 'string' ? enclosedProgram(expected) : undefined;
  if (condition === undefined) return matchesEvent(schedule.on.one.with, event);
  return matchesEvent(attributes satisfies EventAttributes, event) && (await holds(condition, event, expressions));
}

/** Returns the input of a run that an event starts: a list, as for several events. */
export const inputOf = ({ read }: Schedule, event: CloudEvent): Json => [partOf(event, read)];

/** Returns the part of an event that `read` selects. `raw` is its data: that of all events is JSON. */
export const partOf = (event: CloudEvent, read: Schedule['read'] = 'data'): Json =>
  read === 'envelope' ? event : (event.data ?? null);

async function holds(condition: string, event: CloudEvent, expressions: Expressions): Promise<boolean> {
  const data: Json = event.data ?? null;
  const [result = null] = await expressions.evaluate([condition], data, {});
  return result !== false && result !== null;
}
