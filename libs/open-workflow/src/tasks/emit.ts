import type { CloudEvent } from '../durable-steps.js';
import type { TaskResult } from '../execution.js';
import { asJson, type JsonObject } from '../json.js';
import type { EmitTask } from '../model.js';
import type { TaskRun } from '../task-run.js';
import { standardError } from '../workflow-error.js';

/** Sends an event and returns it as the task's output. */
export async function emit({ emit: { event } }: EmitTask, run: TaskRun): Promise<TaskResult> {
  const { host, definition } = run.execution;
  const { namespace, name, version } = definition.document;
  const output = await run.effect(async (call) => {
    const inside = run.evaluation.with({}, { busy: (work) => work() });
    const attributes = (await inside.template(asJson(event.with), run.input)) as JsonObject;
    if (typeof attributes.type !== 'string')
      throw standardError('validation', 'An event must have a `type`, which is a text.');
    const sent: CloudEvent = {
      time: new Date().toISOString(),
      ...attributes,
      // A retry after a crash sends the event with the same id.
      id: textOf(attributes, 'id', call.idempotencyKey),
      source: textOf(attributes, 'source', `/${namespace}/${name}/${version}`),
      type: attributes.type,
      specversion: '1.0',
    };
    await host.emit(sent, call);
    return sent;
  });
  return { output };
}

/** Returns a text attribute, or `missing` when the event does not have it. @throws WorkflowError */
function textOf(attributes: JsonObject, name: string, missing: string): string {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : missing;
  if (typeof value === 'string' && value !== '') return value;
  throw standardError('validation', `The \`${name}\` of an event must be a text that is not empty.`);
}
