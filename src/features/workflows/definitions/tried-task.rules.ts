import { type JsonObject, triedVariables, type WorkflowDefinition } from '#open-workflow';
import { TaskNotFound } from './definitions.errors.js';

/** A task to execute on its own. */
export interface TriedTask {
  /** Its JSON Pointer, or, if it is an outermost one, its name. */
  task: string;
  /** Values of the variables of the loops and catches around it; missing ones get a suitable value. */
  variables: JsonObject;
}

/** Returns a task by its JSON Pointer, with all variables that it sees. @throws TaskNotFound */
export function triedTask({ task, variables }: TriedTask, definition: WorkflowDefinition): TriedTask {
  const places = definition.do.flatMap((one, index) =>
    Object.keys(one).map((name) => ({ name, at: pointerTo(index, name) })),
  );
  const found = task.startsWith('/') ? task : places.find(({ name }) => name === task)?.at;
  const around = found === undefined ? undefined : triedVariables(definition, found);
  if (found !== undefined && around !== undefined) return { task: found, variables: { ...around, ...variables } };
  throw new TaskNotFound(
    definition.document.name,
    task,
    places.map(({ at }) => at),
  );
}

/** RFC 6901. */
const pointerTo = (index: number, name: string) => `/do/${index}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
