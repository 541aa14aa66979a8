import { nodeAt, type ObjectNode } from '../document-node.js';
import {
  ANY_NAME,
  COMPONENT_NAME,
  CRON,
  DSL_VERSION,
  type Format,
  millisecondsOf,
  NAMESPACE,
  VERSION,
  WORKFLOW_NAME,
} from '../formats.js';
import { TASK_VARIABLES, WORKFLOW_VARIABLES } from '../place-variables.js';
import { fixedObject, type ObjectShape, type Report, type Shape, text } from '../shape.js';
import { suggestionFor } from '../suggestion.js';
import { TIME_ZONE } from '../time-zone.js';
import { authenticationDeclaration } from './authentication.shape.js';
import { checkInputSchema, output, workflowInput } from './data-flow.shape.js';
import { fixedDuration, timeout, timeoutDeclaration } from './durations.shape.js';
import { raisedError, retryPolicy } from './errors.shape.js';
import { reading, trigger } from './events.shape.js';
import { REFUSED_CALLS } from './tasks.shape.js';

const NEWEST_KNOWN = [1, 0, 3] as const;

const HINTS = {
  readOnlyHint: 'Whether it changes nothing.',
  destructiveHint: 'Whether it may overwrite or delete something.',
  idempotentHint: 'Whether repeating a call has no further effect.',
  openWorldHint: 'Whether it reaches other systems.',
};

const annotations: ObjectShape = {
  type: 'object',
  about: 'What clients are told of the tool; by default, what follows from what the workflow calls.',
  properties: Object.fromEntries(Object.entries(HINTS).map(([name, about]) => [name, { type: 'boolean', about }])),
};

const metadata: ObjectShape = {
  type: 'object',
  about: 'Settings of this service, and further information under any other name.',
  properties: {
    background: { type: 'boolean', about: 'Whether callers do not wait for the result.' },
    timezone: text('The time zone of schedule.cron; by default UTC.', { format: TIME_ZONE }),
    catchUp: text('Which times of cron and every are started later when they were missed; by default the last.', {
      choices: ['none', 'last', 'all'],
    }),
    annotations,
  },
  others: { names: ANY_NAME, values: { type: 'data', hasExpressions: false } },
  check: warnOfMisspelt,
};

/** Other names are allowed, so one that resembles a setting only gets a warning. */
function warnOfMisspelt(node: ObjectNode, report: Report): void {
  const free = Object.keys(metadata.properties).filter((name) => !node.members.has(name));
  for (const name of node.members.keys()) {
    const meant = suggestionFor(name, free);
    if (meant !== undefined) report([name], `has no effect under this name: did you mean "${meant}"?`, 'warning');
  }
}

const head: ObjectShape = {
  type: 'object',
  about: 'What the workflow is.',
  properties: {
    dsl: text('The version of the DSL.', { format: DSL_VERSION }),
    namespace: text('A group of workflows.', { format: NAMESPACE }),
    name: text('The name of the workflow, and of the tool.', { format: WORKFLOW_NAME }),
    version: text('The semantic version of the workflow.', { format: VERSION }),
    title: text('The title of the tool.', { most: 200 }),
    summary: text('The description of the tool: the first sentence says when to use it.', { most: 4000 }),
    tags: fixedObject('Tags by name.'),
    metadata,
  },
  required: ['dsl', 'namespace', 'name', 'version'],
  check: checkHead,
};

function checkHead(node: ObjectNode, report: Report): void {
  const { dsl, summary } = node.value;
  if (summary === undefined || (typeof summary === 'string' && summary.trim() === '')) {
    report(
      summary === undefined ? [] : ['summary'],
      'has no summary: it is the description of the tool, by which assistants choose it',
      'warning',
    );
  }
  if (typeof dsl === 'string' && DSL_VERSION.problemOf(dsl) === null && isNewer(dsl)) {
    report(['dsl'], 'is newer than 1.0.3: what is new in it is not known here', 'warning');
  }
}

function isNewer(dsl: string): boolean {
  const [major = 0, minor = 0, patch = 0] = dsl.split(/[.+-]/).map(Number);
  const [knownMajor, knownMinor, knownPatch] = NEWEST_KNOWN;
  return major > knownMajor || minor > knownMinor || (minor === knownMinor && patch > knownPatch);
}

const FUNCTION_NAME: Format = {
  ...COMPONENT_NAME,
  problemOf(name) {
    if (name === 'http' || Object.hasOwn(REFUSED_CALLS, name))
      return 'is the name of a function of the DSL: choose another';
    return COMPONENT_NAME.problemOf(name);
  },
};

const components = (about: string, values: Shape, variables: string[] = []): Shape => ({
  type: 'map',
  about,
  values,
  names: COMPONENT_NAME,
  variables,
});

const use: ObjectShape = {
  type: 'object',
  about: 'What tasks name.',
  properties: {
    authentications: components('Credentials by name.', authenticationDeclaration),
    errors: components('Errors by name.', raisedError),
    functions: { type: 'map', about: 'Tasks that call tasks name.', values: { type: 'task' }, names: FUNCTION_NAME },
    retries: components('Retry policies by name; they see $error.', retryPolicy, ['error']),
    secrets: {
      type: 'list',
      about: 'The names of the secrets of the service that expressions read as $secrets.',
      items: text('The name of a secret.', { format: COMPONENT_NAME }),
    },
    timeouts: components('Timeouts by name.', timeoutDeclaration),
  },
  secretsIn: ['authentications'],
  refused: {
    extensions: 'is not supported yet: write the tasks where they are needed, or under use.functions',
    catalogs: 'is not supported: functions are not loaded from elsewhere; write them under use.functions',
  },
};

const schedule: ObjectShape = {
  type: 'object',
  about: 'When the workflow starts by itself.',
  properties: {
    every: fixedDuration('The time between two starts.'),
    cron: text('A cron expression with five fields.', { format: CRON }),
    after: fixedDuration('The time between the end of a run and the start of the next.'),
    on: trigger,
    read: reading,
  },
  atLeastOne: ['every', 'cron', 'after', 'on'],
  refused: { timezone: 'belongs to document.metadata, where cron takes it from' },
  check(node, report) {
    for (const name of ['every', 'after']) {
      const milliseconds = millisecondsOf(node.value[name] ?? null);
      if (milliseconds !== null && milliseconds < 1000) report([name], 'must be at least one second');
    }
    const timer = ['every', 'cron', 'after'].find((name) => node.members.has(name));
    if (timer !== undefined && node.members.has('on'))
      report(
        [timer],
        'cannot be together with on: the input is a list with the event that starts a run, and here there is none. Write two workflows, of which one runs the other',
      );
    if (node.members.has('read') && !node.members.has('on')) report(['read'], 'can be set only together with on');
  },
};

/** Components under `use` are used in tasks. When a schedule is evaluated, there is no run yet. */
const VARIABLES: Readonly<Record<string, string[]>> = { do: TASK_VARIABLES, use: TASK_VARIABLES, schedule: [] };

export const WORKFLOW: ObjectShape = {
  type: 'object',
  about: 'A workflow of the Open Workflow DSL.',
  properties: {
    document: head,
    input: workflowInput,
    use,
    do: { type: 'tasks', about: 'The tasks of the workflow.', least: 1 },
    timeout,
    output,
    schedule,
    evaluate: {
      type: 'object',
      about: 'How expressions are evaluated.',
      properties: {
        language: text('The language of expressions.', {
          format: {
            examples: ['jq'],
            problemOf: (name) => (name === 'jq' ? null : 'must be jq: other languages are not supported'),
          },
        }),
        mode: text('strict: only ${ } texts are expressions; loose: others may be, too.', {
          choices: ['strict', 'loose'],
        }),
      },
    },
  },
  refused: {
    states: 'is of version 0.8 of the DSL: write a list of tasks under do',
    functions: 'belongs under use, as use.functions',
    steps: 'is not of the DSL: write a list of tasks under do',
    on: 'is not of the DSL: what starts a workflow is under schedule',
  },
  required: ['document', 'do'],
  variablesIn: (property) => VARIABLES[property] ?? WORKFLOW_VARIABLES,
  check(node, report) {
    checkInputSchema(node, nodeAt(node, ['schedule', 'on']) !== undefined, report);
    if (!node.members.has('schedule')) return;
    const { input } = node.value as { input?: { schema?: { document?: { required?: unknown } } } };
    const required = input?.schema?.document?.required;
    const starts = (node.value['schedule'] ?? {}) as { on?: unknown };
    if (Array.isArray(required) && required.length > 0 && starts.on === undefined) {
      report(
        ['schedule'],
        'starts the workflow without input, but input.schema requires some: every start would fail',
        'warning',
      );
    }
  },
};
