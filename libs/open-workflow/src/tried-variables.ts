import { asJson, type Json, type JsonObject } from './json.js';
import { segmentsOf } from './json-pointer.js';
import type { Task, TaskList, WorkflowDefinition } from './model.js';
import { setOwn } from './templates.js';
import { standardError } from './workflow-error.js';

/** Variables with sample values for trying out a task. */
type Samples = [name: string, value: Json][];

/** Tasks nested in a task: the path of their list, and the variables that it adds. */
interface InnerTasks {
  path: string;
  tasks: TaskList;
  samples: Samples;
}

/**
 * Returns the variables of the loops and catches around a task, with sample values; undefined when there is no such task.
 * @param pointer JSON Pointer of the task
 */
export function triedVariables({ do: tasks, use }: WorkflowDefinition, pointer: string): JsonObject | undefined {
  const [root, kind, name, ...rest] = segmentsOf(pointer);
  const samples =
    root === 'do'
      ? samplesIn(tasks, segmentsOf(pointer).slice(1))
      : root === 'use' && kind === 'functions'
        ? samplesFor(own(use?.functions, name), rest)
        : null;
  if (!samples) return undefined;
  const variables: JsonObject = {};
  for (const [variable, value] of samples) setOwn(variables, variable, value);
  return variables;
}

function samplesIn(tasks: TaskList, [index, name, ...rest]: string[]): Samples | null {
  return samplesFor(own(own(tasks, index), name), rest);
}

/** @param segments the rest of the path to the task @returns null when there is none */
function samplesFor(task: Task | undefined, segments: string[]): Samples | null {
  if (task === undefined) return null;
  if (segments.length === 0) return [];
  for (const { path, tasks, samples } of within(task)) {
    const length = path.split('/').length;
    if (segments.slice(0, length).join('/') !== path) continue;
    const inner = samplesIn(tasks, segments.slice(length));
    return inner && [...samples, ...inner];
  }
  return null;
}

function within(task: Task): InnerTasks[] {
  if ('for' in task) {
    const { each = 'item', at = 'index', in: items } = task.for;
    const [first = null] = Array.isArray(items) ? items : [];
    return [
      {
        path: 'do',
        tasks: task.do,
        samples: [
          [each, first],
          [at, 0],
        ],
      },
    ];
  }
  if ('do' in task) return [{ path: 'do', tasks: task.do, samples: [] }];
  if ('fork' in task) return [{ path: 'fork/branches', tasks: task.fork.branches, samples: [] }];
  if (!('try' in task)) return [];
  const { as = 'error', do: handling = [] } = task.catch;
  return [
    { path: 'try', tasks: task.try, samples: [] },
    { path: 'catch/do', tasks: handling, samples: [[as, TRIED_ERROR]] },
  ];
}

const TRIED_ERROR = asJson(standardError('runtime', 'An error to try the task with.', { instance: '/do' }).problem);

function own<Value>(values: Record<string, Value> | Value[] | undefined, name: string | undefined): Value | undefined {
  const found = Object.entries(values ?? {}).find(([one]) => one === name);
  return found?.[1];
}
