import { parseWorkflow } from './parse-workflow.js';
import type { JsonObject } from '../json.js';
import type { DefinitionProblem } from './problem.js';
import { EVERYTHING, HEAD } from './testing.js';

const SKILLS: Record<string, object> = {
  knowledge_save: {
    type: 'object',
    properties: { title: { type: 'string' }, content: { type: 'string' }, tags: { type: 'array' } },
    required: ['title', 'content'],
    additionalProperties: false,
  },
  choose: { type: 'object', properties: { tags: { type: 'array' } }, if: { required: ['title'] } },
};
/** Finds the tags that are no list. */
const argumentProblems = (_name: string, { tags }: JsonObject): string[] =>
  tags === undefined || Array.isArray(tags) ? ['missing required property "content"'] : ['tags: must be array'];
const OPTIONS = {
  knowsFunction: (name: string) => name in SKILLS,
  workflows: new Set(['other']),
  functionNames: () => Object.keys(SKILLS),
  whyAbsent: (name: string) => (name === 'llm_classify' ? 'it needs a model' : undefined),
  isReservedEvent: (type: string) => type === 'run.ended',
  inputSchemaOf: (name: string) => SKILLS[name] as Record<string, never>,
  argumentProblems,
};

const show = ({ severity, path, line, column, message }: DefinitionProblem) =>
  `${severity === 'error' ? '' : `${severity} `}${path} ${line}:${column} ${message}`;

async function problemsOf(text: string): Promise<string[]> {
  return (await parseWorkflow(text, OPTIONS)).problems.map(show);
}

/** Returns the problems of tasks and other parts below the head, which is six lines long. */
const below = (text: string) => problemsOf(HEAD + text);
const task = (text: string) => below(`do:\n  - a:\n${text.replace(/^/gm, '      ')}\n`);

describe('parseWorkflow', () => {
  it('accepts one of everything, without warnings', async () => {
    const { definition, problems } = await parseWorkflow(EVERYTHING, OPTIONS);
    expect(problems).toEqual([]);
    expect(definition?.document.name).toBe('everything');
    expect(definition?.do.flatMap((entry) => Object.keys(entry))).toHaveLength(12);
  });

  it('accepts a list as the input that an event is', async () => {
    const on = 'schedule: { on: { one: { with: { type: a, data: "${ .a }" } } } }\ndo: [{ a: { wait: PT1S } }]\n';
    expect(await below(`input: { schema: { document: { type: array } } }\n${on}`)).toEqual([]);
    expect(await below(`input: { schema: { document: { minItems: 1 } } }\n${on}`)).toEqual([]);
  });

  it('refuses a default that does not fit its own schema', async () => {
    const input =
      'input: { schema: { document: { type: object, properties: { n: { type: integer, default: many } } } } }\n';
    expect(await below(`${input}do: [{ a: { wait: PT1S } }]\n`)).toEqual([
      '/input/schema/document/properties/n/default 7:89 does not fit its own schema: must be integer',
    ]);
  });

  it.each([
    ['the first task', 'do: [{ a: { set: { b: "${ .topic }" } } }]', '/do/0/a/set/b', 'topic'],
    ['an operand', 'do: [{ a: { if: "${ 1 + (.n // 2) > 2 }", wait: PT1S } }]', '/do/0/a/if', 'n'],
    [
      'a later task',
      'do: [{ a: { wait: PT1S } }, { b: { set: { c: "${ [$workflow.input.x] }" } } }]',
      '/do/1/b/set/c',
      'x',
    ],
  ])('warns of input that no caller can give: in %s', async (_where, text, path, name) => {
    const [problem = '', ...others] = await below(text);
    expect(problem).toMatch(
      new RegExp(`^warning ${path} 7:\\d+ reads "${name}" of the input, but there is no input.schema`),
    );
    expect(others).toEqual([]);
  });

  it.each([
    'input: { schema: { document: { type: object, properties: { topic: {} } } } }\ndo: [{ a: { set: { b: "${ .topic }" } } }]',
    'schedule: { on: { one: { with: { type: a } } } }\ndo: [{ a: { set: { b: "${ .topic }" } } }]',
    'do: [{ a: { set: { b: "${ [1] | map(.c) }", d: "${ [{}] as $x | $x.e }", f: "${ first([{}][].g) }" } } }]',
    'do: [{ a: { wait: PT1S, output: { as: "${ .b }" } } }, { c: { set: { d: "${ .b }" } } }]',
    'do: [{ a: { set: { b: "${ . }", c: "${ $context.d }", e: .f } } }]',
  ])('does not warn of input that may be there: %s', async (text) => {
    expect(await below(text)).toEqual([]);
  });

  it('warns of a filter that looks like an expression', async () => {
    const on = 'schedule: { on: { one: { with: { data: ".a == 1" } } } }\ndo: [{ a: { wait: PT1S } }]\n';
    expect(await below(on)).toEqual([
      "warning /schedule/on/one/with/data 7:40 is compared as text: write an expression as data: '${ .a == 1 }'",
    ]);
  });

  it('warns of whole numbers that lose precision, at their place', async () => {
    const becomes = 'becomes 9007199254740992: numbers above 2^53 are not exact, so write it as text, in quotes';
    const set =
      'set: { a: 9007199254740993, b: "9007199254740993", c: -9007199254740992, d: 1e300, e: 1234567890123456 }';
    expect(await task(set)).toEqual([`warning /do/0/a/set/a 9:17 the number 9007199254740993 ${becomes}`]);
    const program = `set: { a: '\${ "9007199254740993" | if . == "\\"9007199254740993" then .a9007199254740993 else 9007199254740993 end }' }`;
    expect(await task(program)).toEqual([`warning /do/0/a/set/a 9:17 the number 9007199254740993 ${becomes}`]);
  });

  it('accepts JSON', async () => {
    const document = { dsl: '1.0.0', namespace: 'a', name: 'b', version: '0.1.0', summary: 'c' };
    expect(await problemsOf(JSON.stringify({ document, do: [{ a: { set: { b: 1 } } }] }))).toEqual([]);
  });

  it.each([
    ['nothing', '', ' 1:1 the document is empty: a workflow has at least document and do'],
    ['a comment', '# hello', ' 1:1 the document is empty: a workflow has at least document and do'],
    ['a text', 'hello', ' 1:1 must be an object with document and do, not text'],
    ['a list', '- a', ' 1:1 must be an object with document and do, not a list'],
    [
      'half a list',
      'a: [1',
      ' 1:6 not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    [
      'an object of jq without quotes',
      'a: ${ { b: 1 } }',
      ' 1:4 not valid YAML: put a text that has ": " in it in quotes, or on a separate line after >-',
    ],
    [
      'Markdown around it',
      '```yaml\ndo: []\n```',
      ' 1:1 not valid YAML: leave out the ``` of Markdown before and after the workflow',
    ],
    ['a tab', 'a:\n\tb: 1', ' 2:1 not valid YAML: Tabs are not allowed as indentation'],
    ['two documents', 'a: 1\n---\nb: 2', ' 2:1 a second document begins here: a text holds one workflow'],
  ])('says what is wrong with %s', async (_title, text, problem) => {
    expect((await problemsOf(text))[0]).toBe(problem);
  });

  it.each<[string, string, string]>([
    ['no tasks', '', ' 1:1 needs "do"'],
    ['an empty list of tasks', 'do: []', '/do 7:5 needs at least one task'],
    ['nothing under do', 'do:', '/do 7:1 is empty: give it a value, or remove it'],
    [
      'tasks without hyphens',
      'do:\n  a:\n    wait: PT1S',
      '/do 8:3 must be a list of tasks, not an object: write "- " before the name of each task',
    ],
    [
      'an unknown property',
      'do: [{ a: { wait: PT1S } }]\ntimeuot: x',
      '/timeuot 8:1 unknown property "timeuot": did you mean "timeout"?',
    ],
    ['a repeated property', 'do: [{ a: { wait: PT1S } }]\ndo: []', '/do 8:1 "do" is here twice: remove one'],
    [
      'a repeated task',
      'do:\n  - a: { wait: PT1S }\n  - a: { wait: PT1S }',
      '/do/1/a 9:5 there is another task "a" in this list: rename one',
    ],
    [
      'a task that is not indented',
      'do:\n  - a:\n    wait: PT1S',
      '/do/0 9:5 each entry has the name of one task, and this has several (a, wait): indent what belongs to the task, or begin the next with "- "',
    ],
    ['an empty task', 'do:\n  - a:', '/do/0/a 8:5 the task is empty: indent what belongs to it'],
    [
      'a reserved name',
      'do:\n  - exit: { wait: PT1S }',
      '/do/0/exit 8:5 "exit" says where the flow continues, so it cannot name a task',
    ],
    [
      'a duration as the name of a timeout',
      'do: [{ a: { wait: PT1H, timeout: PT5S } }]',
      '/do/0/a/timeout 7:34 must be the name of one of use.timeouts: write the time itself as { after: PT5S }',
    ],
    [
      'a merge key',
      'do: [{ a: &a { wait: PT1S } }, { b: { <<: *a, then: end } }]',
      '/do/1/b 7:39 "<<" is not supported: write the properties themselves, or a whole value as an alias (*name)',
    ],
    [
      'a time in YAML',
      'do: [{ a: { set: { at: !!timestamp 2026-11-29 } } }]',
      '/do/0/a/set/at 7:36 is a value that JSON does not have: write it as text',
    ],
    [
      'bytes in YAML',
      'do: [{ a: { set: { at: !!binary aGk= } } }]',
      '/do/0/a/set/at 7:33 is a value that JSON does not have: write it as text',
    ],
    ['an alias without its anchor', 'do: *tasks', '/do 7:5 there is no anchor "tasks" before this alias'],
    [
      'extensions',
      'do: [{ a: { wait: PT1S } }]\nuse:\n  extensions: []',
      '/use/extensions 9:3 "extensions": is not supported yet: write the tasks where they are needed, or under use.functions',
    ],
    [
      'another language',
      'do: [{ a: { wait: PT1S } }]\nevaluate: { language: js }',
      '/evaluate/language 8:23 must be jq: other languages are not supported',
    ],
    [
      'a text as input',
      'input: { schema: { document: { type: string } } }\ndo: [{ a: { wait: PT1S } }]',
      '/input/schema/document/type 7:38 must have type: object, because the arguments of a tool are an object',
    ],
    [
      'an object as the input that an event is',
      'input: { schema: { document: { type: object } } }\nschedule: { on: { one: { with: { type: a } } } }\ndo: [{ a: { wait: PT1S } }]',
      '/input/schema/document/type 7:38 must be array, because an event starts the workflow (schedule.on), and the input is a list with it',
    ],
    [
      'an expression in a filter for what starts a workflow',
      'schedule: { on: { one: { with: { subject: "${ .a }" } } } }\ndo: [{ a: { wait: PT1S } }]',
      "/schedule/on/one/with/subject 7:43 has an expression, which is not evaluated here: write the text itself or a regular expression; only all of data can be an expression, such as data: '${ .n == 2 }'",
    ],
    [
      'an expression in the data of a filter for what starts a workflow',
      'schedule: { on: { one: { with: { data: { n: "${ 1 + 1 }" } } } } }\ndo: [{ a: { wait: PT1S } }]',
      "/schedule/on/one/with/data 7:40 has an expression, which is not evaluated here: write the text itself or a regular expression; only all of data can be an expression, such as data: '${ .n == 2 }'",
    ],
    [
      'a remote schema',
      'input: { schema: { resource: { endpoint: "https://a" } } }\ndo: [{ a: { wait: PT1S } }]',
      '/input/schema/resource 7:20 "resource": schemas are not loaded from elsewhere: write the schema under document',
    ],
    [
      'a bad schema',
      'input: { schema: { document: { type: object, properties: { a: { type: strng } } } } }\ndo: [{ a: { wait: PT1S } }]',
      '/input/schema/document/properties/a/type 7:71 is not valid JSON Schema: must be equal to one of the allowed values',
    ],
    [
      'a bad cron expression',
      'schedule: { cron: "0 25 * * *" }\ndo: [{ a: { wait: PT1S } }]',
      '/schedule/cron 7:19 must be a cron expression with five fields (minute hour day month weekday), such as "0 7 * * *" (Invalid value for hour: 25)',
    ],
    [
      'a cron expression with seconds',
      'schedule: { cron: "* * * * * *" }\ndo: [{ a: { wait: PT1S } }]',
      '/schedule/cron 7:19 must be a cron expression with five fields (minute hour day month weekday), such as "0 7 * * *"',
    ],
    [
      'a date that never comes',
      'schedule: { cron: "0 0 30 2 *" }\ndo: [{ a: { wait: PT1S } }]',
      '/schedule/cron 7:19 never happens: no date fits this cron expression',
    ],
    [
      'too short an interval',
      'schedule: { every: PT0S }\ndo: [{ a: { wait: PT1S } }]',
      '/schedule/every 7:20 must be at least one second',
    ],
    [
      'a reading without an event',
      'schedule: { every: PT1H, read: raw }\ndo: [{ a: { wait: PT1S } }]',
      '/schedule/read 7:32 can be set only together with on',
    ],
    [
      'a time zone where it does not belong',
      'schedule: { cron: "0 7 * * *", timezone: Europe/Paris }\ndo: [{ a: { wait: PT1S } }]',
      '/schedule/timezone 7:32 "timezone": belongs to document.metadata, where cron takes it from',
    ],
    [
      'a schedule by time, and by an event',
      'schedule: { cron: "0 7 * * *", on: { one: { with: { type: a } } } }\ndo: [{ a: { wait: PT1S } }]',
      '/schedule/cron 7:19 cannot be together with on: the input is a list with the event that starts a run, and here there is none. Write two workflows, of which one runs the other',
    ],
    [
      'an empty schedule',
      'schedule: {}\ndo: [{ a: { wait: PT1S } }]',
      '/schedule 7:1 needs at least one of every, cron, after, on',
    ],
    [
      'a schedule for several events',
      'schedule: { on: { any: [] } }\ndo: [{ a: { wait: PT1S } }]',
      '/schedule/on/any 7:19 "any": is not supported yet: one event starts a run, which can listen for others; for alternatives, save workflows that run this one',
    ],
    [
      'an unknown timeout',
      'timeout: long\nuse: { timeouts: { lang: { after: PT1S } } }\ndo: [{ a: { wait: PT1S } }]',
      '/timeout 7:10 there is no timeout "long": did you mean "lang"?',
    ],
    [
      'a function with a taken name',
      'use: { functions: { http: { wait: PT1S } } }\ndo: [{ a: { wait: PT1S } }]',
      '/use/functions/http 7:21 "http" is the name of a function of the DSL: choose another',
    ],
    [
      'a bad function with a name that all objects have',
      'use: { functions: { constructor: { wait: "1" } } }\ndo: [{ a: { call: constructor } }]',
      '/use/functions/constructor/wait 7:42 must be an ISO 8601 duration such as PT30S, or an object such as { seconds: 30 }',
    ],
    [
      'oauth2',
      'use: { authentications: { a: { oauth2: {} } } }\ndo: [{ a: { wait: PT1S } }]',
      '/use/authentications/a/oauth2 7:32 "oauth2": is not supported yet: keep a token as a secret, and use bearer',
    ],
    [
      'two schemes',
      'use: { authentications: { a: { bearer: { use: s }, basic: { use: s } } }, secrets: [s] }\ndo: [{ a: { wait: PT1S } }]',
      '/use/authentications/a/basic 7:52 has both "bearer" and "basic": keep one',
    ],
  ])('reports %s once, at its place', async (_title, text, problems) => {
    expect((await below(text)).join('\n')).toBe(problems);
  });

  it.each<[string, string, string]>([
    ['an unknown kind', 'sett: { b: 1 }', '/do/0/a/sett 9:7 unknown property "sett": did you mean "set"?'],
    [
      'no kind',
      'then: end',
      '/do/0/a 8:5 the task does nothing: it needs one of call, for, do, emit, fork, listen, raise, run, set, switch, try, wait',
    ],
    [
      'two kinds',
      'call: http\nset: { b: 1 }',
      '/do/0/a/set 10:7 the task has both "call" and "set": a task does one thing, so make it two tasks',
    ],
    ['an unknown property', 'wait: PT1S\niff: true', '/do/0/a/iff 10:7 unknown property "iff": did you mean "if"?'],
    [
      'an unknown target',
      'wait: PT1S\nthen: b',
      '/do/0/a/then 10:13 there is no task "b" in this list: use continue, exit or end, or one of a',
    ],
    ['an expression as target', 'wait: PT1S\nthen: ${ .next }', '/do/0/a/then 10:13 cannot be an expression'],
    [
      'an unknown skill',
      'call: knowledge_sav\nwith: { title: a, content: b }',
      '/do/0/a/call 9:13 there is no skill "knowledge_sav": did you mean "knowledge_save"?',
    ],
    [
      'a skill that needs more',
      'call: llm_classify',
      '/do/0/a/call 9:13 the skill "llm_classify" is not available now: it needs a model',
    ],
    [
      'a workflow that is called',
      'call: other',
      '/do/0/a/call 9:13 "other" is a workflow: run it, with run: { workflow: { namespace, name } }',
    ],
    ['a workflow that is run', 'run: { workflow: { namespace: n, name: other } }', ''],
    [
      'an unknown workflow that is run',
      'run: { workflow: { namespace: n, name: othr } }',
      'warning /do/0/a/run/workflow/name 9:46 there is no workflow "othr": did you mean "other"?',
    ],
    [
      'a workflow that is run and is to be written yet',
      'run: { workflow: { namespace: n, name: something } }',
      'warning /do/0/a/run/workflow/name 9:46 there is no workflow "something": the task fails until there is one',
    ],
    [
      'an unknown argument',
      'call: knowledge_save\nwith: { titel: a, content: b }',
      '/do/0/a/with/titel 10:15 the skill "knowledge_save" has no argument "titel": did you mean "title"?',
    ],
    [
      'a missing argument',
      'call: knowledge_save\nwith: { title: a }',
      '/do/0/a/call 9:13 the skill "knowledge_save" needs "content" under with',
    ],
    [
      'a literal argument that does not fit',
      'call: knowledge_save\nwith: { title: a, content: b, tags: 5 }',
      'warning /do/0/a/with/tags 10:37 does not fit the input schema of the skill "knowledge_save": tags: must be array',
    ],
    ['an argument with an expression', 'call: knowledge_save\nwith: { title: a, content: b, tags: "${ 5 }" }', ''],
    ['an argument that others decide on', 'call: choose\nwith: { tags: 5 }', ''],
    [
      'gRPC',
      'call: grpc\nwith: { proto: 1 }',
      '/do/0/a/call 9:13 call: grpc is not supported: use call: http, or a skill that makes the call',
    ],
    [
      'a function of a catalog',
      'call: log:0.5.2@global',
      '/do/0/a/call 9:13 functions of catalogs are not supported: call a skill by its name, or write the function under use.functions',
    ],
    ['no method', 'call: http\nwith: { endpoint: "https://a.example" }', '/do/0/a/with 10:7 needs "method"'],
    [
      'a misspelt endpoint',
      'call: http\nwith: { method: get, endpont: "https://a.example" }',
      '/do/0/a/with/endpont 10:28 unknown property "endpont": did you mean "endpoint"?',
    ],
    [
      'a file URL',
      'call: http\nwith: { method: get, endpoint: "file:///etc/passwd" }',
      '/do/0/a/with/endpoint 10:38 must be an http or https URL, in which {name} stands for a property of the input',
    ],
    [
      'an unknown method',
      'call: http\nwith: { method: fetch, endpoint: "https://a.example" }',
      '/do/0/a/with/method 10:23 must be one of get, head, post, put, patch, delete, options',
    ],
    [
      'a header that is a number',
      'call: http\nwith: { method: get, endpoint: "https://a.example", headers: { a: 1 } }',
      '/do/0/a/with/headers/a 10:73 must be text, not a number: put it in quotes',
    ],
    [
      'an unknown authentication',
      'call: http\nwith: { method: get, endpoint: { uri: "https://a.example", authentication: { use: x } } }',
      '/do/0/a/with/endpoint/authentication/use 10:89 there is no authentication "x": declare it under use.authentications',
    ],
    [
      'an undeclared secret',
      'call: http\nwith: { method: get, endpoint: "https://a.example", body: "${ $secrets.key }" }',
      '/do/0/a/with/body 10:65 the secret "key" is not declared: add it to use.secrets',
    ],
    [
      'a secret in the data',
      'set: { a: "${ $secrets.key }" }',
      '/do/0/a/set/a 9:17 $secrets can be used only in the arguments (with) of call: http and of skills, and in authentications, so that no secret is stored',
    ],
    [
      'a shell',
      'run: { shell: { command: ls } }',
      '/do/0/a/run/shell 9:14 "shell": shell commands are not run by this service: offer what they do as an HTTP server or a skill',
    ],
    [
      'a bad version of a workflow',
      'run: { workflow: { namespace: a, name: other, version: newest } }',
      '/do/0/a/run/workflow/version 9:62 must be a version such as 1.0.0, or latest',
    ],
    [
      'a bad duration',
      'wait: 5 minutes',
      '/do/0/a/wait 9:13 must be an ISO 8601 duration such as PT30S, or an object such as { seconds: 30 }',
    ],
    [
      'an unknown unit',
      'wait: { second: 5 }',
      '/do/0/a/wait/second 9:15 unknown property "second": did you mean "seconds"?',
    ],
    ['half a second', 'wait: { seconds: 0.5 }', '/do/0/a/wait/seconds 9:24 must be a whole number, not a fraction'],
    [
      'an empty duration',
      'wait: {}',
      '/do/0/a/wait 9:7 needs at least one of days, hours, minutes, seconds, milliseconds, until',
    ],
    [
      'a time without an offset',
      'wait: { until: "2026-12-24T08:00" }',
      '/do/0/a/wait/until 9:22 must be a time of RFC 3339, with Z or an offset, such as 2026-12-24T08:00:00+01:00',
    ],
    [
      'a time and a duration',
      'wait: { until: "2026-12-24T08:00:00Z", days: 1 }',
      '/do/0/a/wait/until 9:22 stands alone: it is a time, and the others are parts of a duration',
    ],
    ['too long a duration', 'wait: P11Y', '/do/0/a/wait 9:13 must not be longer than 10 years'],
    ['a loop without a list', 'for: { each: x }\ndo: [{ b: { wait: PT1S } }]', '/do/0/a/for 9:7 needs "in"'],
    ['a loop without tasks', 'for: { in: .a }', '/do/0/a 8:5 needs "do"'],
    [
      'a variable with a dollar',
      'for: { each: $x, in: .a }\ndo: [{ b: { wait: PT1S } }]',
      '/do/0/a/for/each 9:20 must be a name of letters, digits and _, without $: expressions read it as $name',
    ],
    [
      'a standard variable',
      'for: { each: input, in: .a }\ndo: [{ b: { wait: PT1S } }]',
      '/do/0/a/for/each 9:20 is a variable that every expression has: choose another name than "input"',
    ],
    [
      'one variable for two things',
      'for: { each: x, at: x, in: .a }\ndo: [{ b: { wait: PT1S } }]',
      '/do/0/a/for/at 9:27 names the same variable for the item and its index',
    ],
    ['no branches', 'fork: { branches: [] }', '/do/0/a/fork/branches 9:25 needs at least one task'],
    [
      'a branch that goes to another',
      'fork: { branches: [{ b: { wait: PT1S, then: c } }, { c: { wait: PT1S } }] }',
      '/do/0/a/fork/branches/0/b/then 9:51 tasks that run at the same time cannot continue at each other: use continue, exit or end',
    ],
    [
      'a target in another list',
      'do: [{ b: { wait: PT1S, then: a } }]',
      '/do/0/a/do/0/b/then 9:37 there is no task "a" in this list: use continue, exit or end, or one of b',
    ],
    ['a switch without a target', 'switch: [{ one: { when: .a } }]', '/do/0/a/switch/0/one 9:18 needs "then"'],
    [
      'two defaults',
      'switch: [{ one: { then: end } }, { two: { then: exit } }]',
      '/do/0/a/switch/1/two 9:42 is a second case without when: only one case can apply when no other does',
    ],
    ['try without catch', 'try: [{ b: { wait: PT1S } }]', '/do/0/a 8:5 needs "catch"'],
    [
      'an unknown retry policy',
      'try: [{ b: { wait: PT1S } }]\ncatch: { retry: often }',
      '/do/0/a/catch/retry 10:23 there is no retry policy "often": declare it under use.retries',
    ],
    [
      'an unknown backoff',
      'try: [{ b: { wait: PT1S } }]\ncatch: { retry: { limit: { attempt: { count: 2 } }, backoff: { exponentail: {} } } }',
      '/do/0/a/catch/retry/backoff/exponentail 10:70 unknown property "exponentail": did you mean "exponential"?',
    ],
    [
      'no attempt',
      'try: [{ b: { wait: PT1S } }]\ncatch: { retry: { limit: { attempt: { count: 0 } } } }',
      '/do/0/a/catch/retry/limit/attempt/count 10:52 must be 1 to 1000',
    ],
    [
      'a backoff with members',
      'try: [{ b: { wait: PT1S } }]\ncatch: { retry: { backoff: { exponential: { multiplier: 1 } }, limit: { attempt: { count: 2 } } } }',
      '/do/0/a/catch/retry/backoff/exponential/multiplier 10:51 unknown property "multiplier": there are no properties here, write {}',
    ],
    [
      'an event of the service',
      'emit: { event: { with: { type: run.ended } } }',
      '/do/0/a/emit/event/with/type 9:38 only the service itself sends events of the type "run.ended": choose another type',
    ],
    [
      'a filter of errors that computes',
      'try: [{ b: { wait: PT1S } }]\ncatch: { errors: { with: { title: "${ .a }", detail: "${ .a }", instance: "${ .a }" } } }',
      [
        '/do/0/a/catch/errors/with/title 10:41 cannot be an expression',
        '/do/0/a/catch/errors/with/detail 10:60 cannot be an expression',
        '/do/0/a/catch/errors/with/instance 10:81 cannot be an expression',
      ].join('\n'),
    ],
    ...['{+path}', '{?q}', '{a,b}', '{a*}', '{a:3}'].map((part): [string, string, string] => [
      `a template with ${part}`,
      `call: http\nwith: { method: get, endpoint: "https://a.example/x${part}" }`,
      `/do/0/a/with/endpoint 10:38 has ${part}, which is not supported: only {name} is, encoded; put the query under query, and make other addresses with an expression: '\${ "https://a.example/" + .path }'`,
    ]),
    [
      'a template whose first value would hold the start of a URL',
      'call: http\nwith: { method: get, endpoint: "{base}/items/{id}" }',
      `/do/0/a/with/endpoint 10:38 begins with {base}, whose value is encoded too: put the start of the address there, or make it with an expression: '\${ .base + "/path" }'`,
    ],
    ['an error without status', 'raise: { error: { type: "https://a" } }', '/do/0/a/raise/error 9:16 needs "status"'],
    [
      'an unknown error',
      'raise: { error: oops }',
      '/do/0/a/raise/error 9:23 there is no error "oops": declare it under use.errors',
    ],
    [
      'an event without type',
      'emit: { event: { with: { source: "https://a" } } }',
      '/do/0/a/emit/event/with 9:24 needs "type"',
    ],
    [
      'a bad attribute',
      'emit: { event: { with: { type: a, My-Ext: b } } }',
      '/do/0/a/emit/event/with/My-Ext 9:41 "My-Ext" is not a name that an attribute of a CloudEvent can have: lower-case letters and digits only',
    ],
    [
      'a filter for nothing',
      'listen: { to: { one: { with: {} } } }\ntimeout: { after: PT1S }',
      '/do/0/a/listen/to/one/with 9:30 must name at least one attribute, such as type',
    ],
    [
      'a bad regular expression',
      'listen: { to: { one: { with: { type: "a(" } } } }\ntimeout: { after: PT1S }',
      '/do/0/a/listen/to/one/with/type 9:44 must be text, or a regular expression; this is not a valid one',
    ],
    [
      'a question without text',
      'listen: { to: { one: { with: { type: person.answered } } } }\ntimeout: { after: PT1S }\nmetadata: { question: { schema: { type: object, properties: {} } } }',
      '/do/0/a/metadata/question 11:19 needs "message"',
    ],
    [
      'no question',
      'listen: { to: { one: { with: { type: person.answered } } } }\ntimeout: { after: PT1S }',
      '/do/0/a 8:5 needs metadata.question with message and schema: what a person is asked',
    ],
    [
      'a form in a form',
      'listen: { to: { one: { with: { type: person.answered } } } }\ntimeout: { after: PT1S }\nmetadata: { question: { message: a, schema: { type: object, properties: { b: { type: object } } } } }',
      '/do/0/a/metadata/question/schema/properties/b 11:84 must have a type of string, number, integer, boolean: a form has no fields within fields',
    ],
    [
      'a format that clients have no field for',
      'listen: { to: { one: { with: { type: person.answered } } } }\ntimeout: { after: PT1S }\nmetadata: { question: { message: a, schema: { type: object, properties: { b: { type: string, format: time } } } } }',
      'warning /do/0/a/metadata/question/schema/properties/b/format 11:108 should be one of email, uri, date, date-time: with others, only the administration has a form',
    ],
    ['an empty expression', 'set: { a: "${ }" }', '/do/0/a/set/a 9:17 is an expression without anything in it'],
    ['data that is no expression', 'set: hello', '/do/0/a/set 9:12 must be an object, or an expression as ${ .items }'],
    ['a list as data', 'set: [1]', '/do/0/a/set 9:12 must be text or an object, not a list'],
    ['an infinite number', 'set: { a: .inf }', '/do/0/a/set/a 9:17 is not a number that JSON knows'],
    ['a name that is an object', 'set: { {a: b}: 1 }', '/do/0/a/set 9:14 a name must be text'],
    [
      'a prototype',
      'set: { __proto__: 1 }',
      '/do/0/a/set 9:14 a name must have 1 to 200 characters, all of them printable, and not be __proto__',
    ],
  ])('reports %s in a task once, at its place', async (_title, text, problems) => {
    expect((await task(text)).join('\n')).toBe(problems);
  });

  it.each<[string, string, string]>([
    [
      'a wrong name',
      'name: 1st',
      '/document/name 4:9 is the name of the tool that clients see: it must begin with a letter, and have at most 64 letters, digits, _ and -',
    ],
    [
      'a version that is a number',
      'version: 1.0',
      '/document/version 5:12 must be text, not a number: it must be a semantic version such as 1.0.0',
    ],
    ['a version that is none', 'version: "1"', '/document/version 5:12 must be a semantic version such as 1.0.0'],
    [
      'an old version of the DSL',
      'dsl: 0.8.0',
      '/document/dsl 2:8 is a version of the DSL that is not supported: use 1.0.3',
    ],
    [
      'a namespace with a space',
      'namespace: a b',
      '/document/namespace 3:14 must consist of 1 to 63 letters, digits and hyphens',
    ],
  ])('reports %s', async (_title, line, problem) => {
    const [name = ''] = line.split(':');
    const text = HEAD.replace(new RegExp(`^  ${name}: .*$`, 'm'), `  ${line}`);
    expect(await problemsOf(`${text}do: [{ a: { wait: PT1S } }]`)).toEqual([problem]);
  });

  it.each<[string, string, string]>([
    ['a time zone', 'timezone: Europe/Paris', ''],
    ['an old name of a time zone, in small letters', 'timezone: us/eastern', ''],
    ['a time zone without a place', 'timezone: UTC', ''],
    ['what others keep there', 'owner: { team: [a, 7] }', ''],
    [
      'a misspelt time zone',
      'timezone: Europe/Pariss',
      '/document/metadata/timezone 7:25 is not the name of a time zone: did you mean "Europe/Paris"?',
    ],
    [
      'a city alone',
      'timezone: new york',
      '/document/metadata/timezone 7:25 is not the name of a time zone: did you mean "America/New_York"?',
    ],
    [
      'a time zone that is like no other',
      'timezone: Mars/Olympus',
      '/document/metadata/timezone 7:25 must be the name of a time zone such as Europe/Paris or UTC',
    ],
    [
      'an empty time zone',
      'timezone: ""',
      '/document/metadata/timezone 7:25 must be the name of a time zone such as Europe/Paris or UTC',
    ],
    [
      'an expression as time zone',
      'timezone: "${ .zone }"',
      '/document/metadata/timezone 7:25 cannot be an expression',
    ],
    [
      'a time zone that is a number',
      'timezone: 2',
      '/document/metadata/timezone 7:25 must be text, not a number: it must be the name of a time zone such as Europe/Paris or UTC',
    ],
    ['no time zone', 'timezone: null', '/document/metadata/timezone 7:15 is empty: give it a value, or remove it'],
    [
      'a time zone that nobody reads',
      'timeZone: Europe/Paris',
      'warning /document/metadata/timeZone 7:25 has no effect under this name: did you mean "timezone"?',
    ],
    [
      'a background that is text',
      'background: "true"',
      '/document/metadata/background 7:27 must be true or false, not text',
    ],
  ])('reads the metadata with %s', async (_title, metadata, problems) => {
    expect((await below(`  metadata: { ${metadata} }\ndo: [{ a: { wait: PT1S } }]`)).join('\n')).toBe(problems);
  });

  it.each<[string, string, string]>([
    [
      'no limit of time',
      'listen: { to: { one: { with: { type: a } } } }',
      'warning /do/0/a 9:7 waits for ever if the event never comes: give the task, or one around it, a timeout',
    ],
    [
      'an expression within a text',
      'set: { a: "Hello ${ .name }" }',
      'warning /do/0/a/set/a 9:17 has ${ } within other text, which is not evaluated: make all of it one expression: \'${ "Hello \\(.name)" }\'',
    ],
    [
      'an expression within a long text',
      `set: { a: "\${ .name } ${'x'.repeat(100)}" }`,
      'warning /do/0/a/set/a 9:17 has ${ } within other text, which is not evaluated: make all of it one expression, such as \'${ "Hello \\(.name)" }\'',
    ],
    [
      'an expression within an address',
      'call: http\nwith: { method: get, endpoint: "https://a.example/${ .id }/x" }',
      'warning /do/0/a/with/endpoint 10:38 has ${ } within other text, which is not evaluated: make all of it one expression: \'${ "https://a.example/\\(.id)/x" }\'',
    ],
    [
      'an expression within the question for a person',
      'listen: { to: { one: { with: { type: person.answered } } } }\ntimeout: { after: PT1S }\nmetadata: { question: { message: "Send ${ .n }?", schema: { type: object, properties: {} } } }',
      'warning /do/0/a/metadata/question/message 11:40 has ${ } within other text, which is not evaluated: make all of it one expression: \'${ "Send \\(.n)?" }\'',
    ],
    [
      'an expression that ends in a comment',
      'set:\n  a: ${ .name # the name }',
      'warning /do/0/a/set/a 10:12 has ${ without } after it, so it is not evaluated: put a text with # or ": " in it in quotes',
    ],
    [
      'no limit of attempts',
      'try: [{ b: { wait: PT1S } }]\ncatch: { retry: { delay: PT1S } }',
      'warning /do/0/a/catch/retry 10:16 has no limit, so it may try again for ever: set limit.attempt.count',
    ],
    [
      'a question that nobody is asked',
      'listen: { to: { one: { with: { type: a } } } }\ntimeout: { after: PT1S }\nmetadata: { question: { message: a, schema: { type: object, properties: {} } } }',
      'warning /do/0/a/metadata/question 11:29 is asked only by a listen task for the event type person.answered, and this one listens for another',
    ],
    [
      'a word that JSON Schema does not know',
      'wait: PT1S\ninput: { schema: { document: { requird: [a] } } }',
      'warning /do/0/a/input/schema/document 10:36 the schema has "requird", which means nothing in JSON Schema',
    ],
    [
      'a password in the text',
      'call: http\nwith: { method: get, endpoint: { uri: "https://a.example", authentication: { bearer: { token: hunter2 } } } }',
      'warning /do/0/a/with/endpoint/authentication/bearer/token 10:101 is in the text, for everybody who may read the workflow: take it from a secret, as ${ $secrets.name }',
    ],
  ])('warns of %s', async (_title, text, problems) => {
    expect((await task(text)).join('\n')).toBe(problems);
  });

  it('warns of what is declared and not used, of a missing summary, and of a newer DSL', async () => {
    const text = `document: { dsl: 1.1.0, namespace: a, name: b, version: 1.0.0 }
use:
  functions: { f: { wait: PT1S } }
  secrets: [s]
do: [{ a: { wait: PT1S } }]`;
    expect(await problemsOf(text)).toEqual([
      'warning /document 1:1 has no summary: it is the description of the tool, by which assistants choose it',
      'warning /document/dsl 1:18 is newer than 1.0.3: what is new in it is not known here',
      'warning /use/functions/f 3:16 "f" is not used: remove it',
      'warning /use/secrets/0 4:13 "s" is not used: remove it',
    ]);
  });

  it('warns of a schedule that cannot give the input that is required', async () => {
    const text =
      'schedule: { every: PT1H }\ninput: { schema: { document: { type: object, required: [a] } } }\ndo: [{ a: { wait: PT1S } }]';
    expect(await below(text)).toEqual([
      'warning /schedule 7:11 starts the workflow without input, but input.schema requires some: every start would fail',
    ]);
  });

  it('keeps secrets out of all messages', async () => {
    const hidden = 'hunter2-'.repeat(20);
    const text = `use:
  authentications:
    a: { basic: { username: u, password: [${hidden}] } }
    b: { digest: { password: ${hidden} } }
do:
  - a: { call: http, with: { method: ${hidden}, endpoint: "${hidden}", output: ${hidden} } }
  - b: { wait: ${hidden}, then: ${hidden} }`;
    const { problems } = await parseWorkflow(HEAD + text, OPTIONS);
    expect(problems.length).toBeGreaterThan(5);
    expect(problems.filter(({ message }) => message.length > 250 || message.includes('hunter2-'.repeat(9)))).toEqual(
      [],
    );
  });
});
