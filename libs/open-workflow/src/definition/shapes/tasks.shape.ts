import { NAMESPACE, VARIABLE, VERSION_OR_LATEST, WORKFLOW_NAME } from '../formats.js';
import {
  dataObject,
  expression,
  fixedObject,
  type ObjectShape,
  type Shape,
  type TaskKind,
  text,
  wholeExpression,
} from '../shape.js';
import { exported, input, output } from './data-flow.shape.js';
import { timeout, waitingTime } from './durations.shape.js';
import { catching, raisable } from './errors.shape.js';
import { consumption, emittedEvent, reading } from './events.shape.js';
import { httpArguments } from './http-call.shape.js';
import { checkQuestion, listenMetadata } from './questions.shape.js';

export const TASK_BASE: Record<string, Shape> = {
  if: expression('The task is left out unless this is true.'),
  input,
  output,
  export: exported,
  timeout,
  then: text('Where the flow continues: continue, exit, end, or the name of a task of the same list.', {
    isTarget: true,
  }),
  metadata: fixedObject('Further information.'),
};

const tasks = (about: string): Shape => ({ type: 'tasks', about, least: 0 });

const call: TaskKind = {
  about: 'Calls a skill, a function of use.functions, or an HTTP server.',
  properties: {
    call: text('http, or the name of a skill or of one of use.functions.', { most: 200 }),
    with: dataObject('The arguments.'),
  },
  required: ['call'],
  secretsIn: ['with'],
};

const callHttp: TaskKind = {
  ...call,
  about: 'Sends an HTTP request.',
  properties: { call: text('http', { choices: ['http'] }), with: httpArguments },
  required: ['call', 'with'],
};

/** DSL functions that cannot be called: the reason, and what to do instead. */
export const REFUSED_CALLS: Record<string, string> = {
  grpc: 'call: grpc is not supported: use call: http, or a skill that makes the call',
  asyncapi: 'call: asyncapi is not supported: use call: http, or emit and listen',
  openapi: 'call: openapi is not supported yet: use call: http with the URL of the operation',
  mcp: 'call: mcp is not supported yet: call a skill of this service by its name',
  a2a: 'call: a2a is not supported yet: use call: http',
};

const run: ObjectShape = {
  type: 'object',
  about: 'What is run.',
  properties: {
    workflow: {
      type: 'object',
      about: 'The workflow to run.',
      properties: {
        namespace: text('The namespace of the workflow.', { format: NAMESPACE }),
        name: text('The name of the workflow.', { format: WORKFLOW_NAME }),
        version: text('A version, or latest, which is the default.', { format: VERSION_OR_LATEST }),
        input: {
          type: 'choice',
          about: 'The input of the workflow.',
          text: wholeExpression('An expression that gives the input.', 'items'),
          object: dataObject('The input; ${ } texts are expressions.'),
        },
      },
      required: ['namespace', 'name'],
    },
    await: { type: 'boolean', about: 'Whether to wait for the result, which is the default.' },
  },
  required: ['workflow'],
  refused: {
    container: 'containers are not run by this service: offer what they do as an HTTP server or a skill',
    shell: 'shell commands are not run by this service: offer what they do as an HTTP server or a skill',
    script: 'scripts are not run by this service: use jq expressions, an HTTP server or a skill',
    return: 'belongs to containers, scripts and shells: the output of a workflow is its result',
  },
};

const loop: ObjectShape = {
  type: 'object',
  about: 'What is iterated over.',
  properties: {
    each: text('The name of the variable with the item; by default item.', { format: VARIABLE }),
    in: {
      type: 'choice',
      about: 'The items.',
      text: expression('An expression that gives a list.'),
      list: { type: 'data', about: 'The items themselves.', hasExpressions: true },
    },
    at: text('The name of the variable with the index; by default index.', { format: VARIABLE }),
  },
  required: ['in'],
  check(node, report) {
    const { each = 'item', at = 'index' } = node.value;
    if (each === at)
      report(node.members.has('at') ? ['at'] : ['each'], 'names the same variable for the item and its index');
  },
};

const FLOW_CASE: ObjectShape = {
  type: 'object',
  about: 'A case.',
  properties: {
    when: expression('The case applies if this is true; without it, the case applies when no other does.'),
    then: text('Where the flow continues: continue, exit, end, or the name of a task of the same list.', {
      isTarget: true,
    }),
  },
  required: ['then'],
};

/** The kinds of tasks, by their distinguishing property. */
export const TASK_KINDS: Record<string, TaskKind> = {
  call,
  // A for task has do, too; for takes precedence.
  for: {
    about: 'Repeats tasks for each item of a list.',
    properties: {
      for: loop,
      while: expression('Ends the loop when this is not true.'),
      do: tasks('What is done for each item.'),
    },
    required: ['for', 'do'],
    variablesIn(property, task) {
      if (property !== 'do' && property !== 'while') return [];
      const { each, at } = (task['for'] ?? {}) as { each?: unknown; at?: unknown };
      return [typeof each === 'string' ? each : 'item', typeof at === 'string' ? at : 'index'];
    },
  },
  do: { about: 'Does tasks one after the other.', properties: { do: tasks('The tasks.') }, required: ['do'] },
  emit: {
    about: 'Sends an event.',
    properties: { emit: { type: 'object', properties: { event: emittedEvent }, required: ['event'] } },
    required: ['emit'],
  },
  fork: {
    about: 'Does tasks at the same time.',
    properties: {
      fork: {
        type: 'object',
        properties: {
          branches: { type: 'tasks', about: 'The tasks.', least: 1, areConcurrent: true },
          compete: { type: 'boolean', about: 'Whether the first to end well wins and the others are stopped.' },
        },
        required: ['branches'],
      },
    },
    required: ['fork'],
  },
  listen: {
    about: 'Waits for an event, or for the answer of a person.',
    properties: {
      listen: {
        type: 'object',
        properties: { to: consumption, read: reading },
        required: ['to'],
      },
      metadata: listenMetadata,
    },
    required: ['listen'],
    check: checkQuestion,
  },
  raise: {
    about: 'Raises an error.',
    properties: { raise: { type: 'object', properties: { error: raisable }, required: ['error'] } },
    required: ['raise'],
  },
  run: { about: 'Runs another workflow.', properties: { run }, required: ['run'] },
  set: {
    about: 'Replaces the data.',
    properties: {
      set: {
        type: 'choice',
        about: 'The new data.',
        text: wholeExpression('An expression that gives the data.', 'items'),
        object: dataObject('The data; ${ } texts are expressions.'),
      },
    },
    required: ['set'],
  },
  switch: {
    about: 'Decides where the flow continues.',
    properties: {
      switch: { type: 'cases', about: 'The cases, in the order in which they are tried.', values: FLOW_CASE },
    },
    required: ['switch'],
  },
  try: {
    about: 'Does tasks, and handles their errors.',
    properties: { try: tasks('The tasks.'), catch: catching },
    required: ['try', 'catch'],
  },
  wait: { about: 'Waits.', properties: { wait: waitingTime }, required: ['wait'] },
};

/** Properties that the DSL gives to some kinds of tasks and this service refuses. */
const REFUSED_TASK_PROPERTIES: Record<string, string> = {
  foreach: 'is not supported yet: listen for one event, in a for task if there are several',
};

export function shapeOfTask(kind: string, calls: unknown): ObjectShape {
  const declared = kind === 'call' && calls === 'http' ? callHttp : TASK_KINDS[kind];
  if (!declared) throw new TypeError(`there is no kind of task that is called ${kind}`);
  const { properties, ...rest } = declared;
  return { type: 'object', ...rest, properties: { ...TASK_BASE, ...properties }, refused: REFUSED_TASK_PROPERTIES };
}

export function taskShapes(): [string, ObjectShape][] {
  const kinds = Object.keys(TASK_KINDS).map((kind): [string, ObjectShape] => [kind, shapeOfTask(kind, undefined)]);
  return [['call http', shapeOfTask('call', 'http')], ...kinds];
}
