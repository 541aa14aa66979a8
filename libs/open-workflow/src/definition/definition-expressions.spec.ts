import { JqExpressions } from '../jq/jq-expressions.js';
import { programOf } from '../templates.js';
import { parseWorkflow } from './parse-workflow.js';
import { wholeExpression } from './partial-expression.js';
import { EVERYTHING, HEAD } from './testing.js';

describe('the expressions of a workflow', () => {
  const jq = new JqExpressions();
  afterAll(() => jq.close());

  const problemsOf = async (text: string) => {
    const { problems } = await parseWorkflow(text, {
      knowsFunction: () => true,
      checkExpressions: (programs, variables) => jq.check(programs, variables),
    });
    const ofExpressions = problems.filter(({ message }) => !message.includes('there is no input.schema'));
    return ofExpressions.map(({ path, line, column, message }) => `${path} ${line}:${column} ${message}`);
  };

  it('are all right in a workflow with one of everything', async () => {
    expect(await problemsOf(EVERYTHING)).toEqual([]);
  });

  it.each<[string, string, string, string]>([
    ['half a program', 'set: { a: "${ .a[ }" }', '/do/0/a/set/a 9:17', 'syntax error'],
    ['a condition', 'wait: PT1S\nif: .a ==', '/do/0/a/if 10:11', 'syntax error'],
    [
      'an unknown function',
      'wait: PT1S\ninput: { from: "nosuch(1)" }',
      '/do/0/a/input/from 10:22',
      'nosuch/1 is not defined',
    ],
    [
      'an unknown variable',
      'wait: PT1S\noutput: { as: $nothing }',
      '/do/0/a/output/as 10:21',
      '$nothing is not defined',
    ],
    [
      'a variable outside its loop',
      'for: { each: pet, in: .pets }\ndo: [{ b: { wait: PT1S } }]\noutput: { as: $pet }',
      '/do/0/a/output/as 11:21',
      '$pet is not defined',
    ],
    [
      'the error outside its catch',
      'try: [{ b: { set: { x: "${ $error.status }" } } }]\ncatch: { when: $error.status == 503 }',
      '/do/0/a/try/0/b/set/x 9:30',
      '$error is not defined',
    ],
    ['an expression that ends the other', 'set: { a: "${ .a ), ( .b }" }', '/do/0/a/set/a 9:17', 'syntax error'],
  ])('are checked: %s', async (_title, task, place, reason) => {
    const [problem, ...others] = await problemsOf(`${HEAD}do:\n  - a:\n${task.replace(/^/gm, '      ')}\n`);
    expect(others).toEqual([]);
    expect(problem).toContain(`${place} the expression is not valid jq: `);
    expect(problem).toContain(reason);
    expect(problem).not.toContain('The text has ${ } in it');
  });

  it('see the variables of the loops and catches around them, and those that they bind themselves', async () => {
    const text = `${HEAD}do:
  - outer:
      for: { each: x, in: .list, at: i }
      do:
        - inner:
            for: { in: $x.list }
            do:
              - use: { set: { a: '\${ [$x, $i, $item, $index] }' } }
  - own: { set: '\${ .list as $x | $x }' }
  - caught:
      try: [{ fail: { call: a } }]
      catch: { as: problem, do: [{ tell: { set: { b: '\${ $problem }' } } }] }
`;
    expect(await problemsOf(text)).toEqual([]);
  });

  it.each<[string, string, string, string]>([
    ['the output of the workflow', 'output: { as: $input }', '/output/as', '$workflow.input'],
    ['the output of the workflow', 'output: { as: { a: "${ $task }" } }', '/output/as/a', '$workflow'],
    ['the output of the workflow', 'output: { as: $output }', '/output/as', 'in output.as, the output is "."'],
    ['its input', 'input: { from: $input.a }', '/input/from', 'in input.from "."'],
    ['its input', 'input: { from: $task.name }', '/input/from', '$task exists only in tasks'],
    ['its timeout', 'timeout: { after: "${ $task.name }" }', '/timeout/after', '$task exists only in tasks'],
    [
      'the timeout that it names',
      'use: { timeouts: { short: { after: "${ $input.limit }" } } }\ntimeout: short',
      '/use/timeouts/short/after',
      '$workflow.input',
    ],
    ['the output of a task', 'do: [{ a: { wait: PT1S, output: { as: $output } } }]', '/do/0/a/output/as', 'export.as'],
    ['a task', 'do: [{ a: { set: { b: "${ $output.c }" } } }]', '/do/0/a/set/b', 'export.as'],
    ['the condition of a task', 'do: [{ a: { if: $output.c, wait: PT1S } }]', '/do/0/a/if', 'export.as'],
    [
      'a filter of schedule.on',
      'schedule: { on: { one: { with: { data: "${ .n == $workflow.input.n }" } } } }',
      '/schedule/on/one/with/data',
      'the data of the event as "."',
    ],
  ])('say which variables do not exist in %s: %s', async (_title, part, path, advice) => {
    const text = `${HEAD}${part}\n${part.startsWith('do:') ? '' : 'do: [{ a: { wait: PT1S } }]\n'}`;
    const [problem, ...others] = await problemsOf(text);
    expect(others).toEqual([]);
    expect(problem).toContain(`${path} `);
    expect(problem).toContain('is not defined');
    expect(problem).toContain(advice);
  });

  it('have the variables of their place', async () => {
    const text = `${HEAD}input: { from: '[$workflow.input, $context, $runtime]' }
output: { as: '[$workflow.id, $context, $runtime, "$input", (. as $input | $input)]' }
timeout: { after: '\${ $workflow.input.limit }' }
use:
  errors: { broken: { type: 'https://example.com/broken', status: 500, detail: '\${ $task.name + $input.a }' } }
  functions: { shout: { set: { a: '\${ [$input, $task] }' } } }
  retries: { busy: { when: '$error.status == $input.a or $task.name', limit: { attempt: { count: 2 } } } }
  timeouts: { short: { after: '\${ $input.limit // $task.input.limit }' } }
do:
  - a: { call: shout, if: $input.b and $task.name, input: { from: '[$input, $task]' }, timeout: short }
  - b: { set: '\${ [$input, $task] }', output: { as: '[$input, $task]' }, export: { as: '[$output, $input, $task]' } }
  - c: { try: [{ d: { raise: { error: broken } } }], catch: { when: $input.a or $task, retry: busy } }
`;
    expect(await problemsOf(text)).toEqual([]);
  });

  it('cannot call the function input of jq, and say what to write', async () => {
    const task = (program: string) => `${HEAD}do: [{ a: { set: { b: '\${ ${program} }' } } }]\n`;
    const [problem] = await problemsOf(task('input.a'));
    expect(problem).toContain('the function input of jq is not available in workflows: write "."');
    expect(await problemsOf(task('{input} | [.input, "input", {input: 1}]'))).toEqual([]);
  });

  it('see the error in retry policies that tasks share', async () => {
    const use = (
      when: string,
    ) => `${HEAD}use: { retries: { busy: { when: ${when}, limit: { attempt: { count: 2 } } } } }
do:
  - a:
      try: [{ b: { wait: PT1S } }]
      catch: { as: problem, retry: busy }
`;
    expect(await problemsOf(use('$error.status == 503'))).toEqual([]);
    expect(await problemsOf(use('$problem.status == 503'))).toMatchObject([
      expect.stringContaining('$problem is not defined'),
    ]);
  });

  it('are found among hundreds, each at its place', async () => {
    const lines = Array.from(
      { length: 300 },
      (_, index) => `        k${index}: \${ ${index % 100 === 7 ? '.a[' : '.a'} }\n`,
    );
    const found = await problemsOf(`${HEAD}do:\n  - a:\n      set:\n${lines.join('')}`);
    expect(found.map((problem) => problem.split(' ')[0])).toEqual(
      [7, 107, 207].map((index) => `/do/0/a/set/k${index}`),
    );
  });

  it.each<[string, string, string]>([
    ['two in one text', 'set: { a: "${ .a } and ${ .b }" }', '${ "\\(.a) and \\(.b)" }'],
    ['one in the text of a condition', 'wait: PT1S\nif: is ${ .a } so', '${ "is \\(.a) so" }'],
    ['one beside quotes', `set: { a: "\${ .a }'s \${ .b }" }`, `\${ "\\(.a)''s \\(.b)" }`],
    ['one in what becomes the output', 'wait: PT1S\noutput: { as: "about ${ .a }" }', '${ "about \\(.a)" }'],
  ])('are shown as they must be written: %s', async (_title, task, form) => {
    const [problem] = await problemsOf(`${HEAD}do:\n  - a:\n${task.replace(/^/gm, '      ')}\n`);
    expect(problem).toMatch(/the expression is not valid jq: .*syntax error/);
    expect(problem).toContain(`. The text has \${ } in it: make all of it one expression: '${form}'`);
  });

  it('are shown as they must be written, with the same meaning', async () => {
    const text = 'Dear "${ .name }"\\\n\u0001: ${ {n: {m: .n}} | .n.m // "}" } of ${ "\\(.n)" }${ "\\("}")" }.';
    const form = wholeExpression(text) ?? '';
    expect(await jq.evaluate([programOf(form)], { name: 'Ada', n: 2 }, {})).toEqual(['Dear "Ada"\\\n\u0001: 2 of 2}.']);
  });

  it.each(['no expression', 'half ${ .a', 'half ${ "}', '${ }', 'a ${ } b'])('are not made of %j', (text) => {
    expect(wholeExpression(text)).toBeUndefined();
  });

  it('may name their own place', async () => {
    const text = `${HEAD}do:\n  - a: { set: { b: '\${ "a \${ .x } b" }' }, if: '.a == "\${ .b }"' }\n`;
    expect(await problemsOf(text)).toEqual([]);
  });

  it('are looked for in texts of loose mode, too', async () => {
    const text = `${HEAD}evaluate: { mode: loose }\ndo:\n  - a: { set: { b: "is \${ .b }" }, if: "is \${ .a }" }\n`;
    expect((await problemsOf(text)).map((problem) => problem.split(' ', 2)[0])).toEqual([
      '/do/0/a/set/b',
      '/do/0/a/if',
    ]);
  });

  describe('in loose mode', () => {
    const LOOSE = `${HEAD}evaluate: { mode: loose }\n`;

    it.each([
      ['a whole', 'a: { set: .x }'],
      ['a text that stands for itself', 'a: { set: { b: Hello there. } }'],
      ['a duration', 'a: { wait: .delay }'],
      ['a status', 'a: { raise: { error: { type: "https://example.com/oops", status: .status } } }'],
      ['the endpoint of a request', 'a: { call: http, with: { method: get, endpoint: .next, headers: .headers } }'],
    ])('need no ${ }: %s', async (_title, task) => {
      expect(await problemsOf(`${LOOSE}do: [{ ${task} }]\n`)).toEqual([]);
    });

    it.each([
      ['a condition', 'a: { wait: PT1S, if: this is no program }', '/do/0/a/if'],
      ['an output', 'a: { wait: PT1S, output: { as: not this } }', '/do/0/a/output/as'],
      ['new data', 'a: { set: ".x[" }', '/do/0/a/set'],
      ['a duration', 'a: { wait: a while }', '/do/0/a/wait'],
    ])('are checked where plain text is not allowed: %s', async (_title, task, path) => {
      expect(await problemsOf(`${LOOSE}do: [{ ${task} }]\n`)).toEqual([
        expect.stringMatching(`^${path} .* is not valid jq`),
      ]);
    });

    it('use the secrets that they name, and only where secrets may be used', async () => {
      const use = `${LOOSE}use: { secrets: [token] }\n`;
      const sent = '{ a: { call: some, with: { key: $secrets.token } } }';
      expect(await problemsOf(`${use}do: [${sent}]\n`)).toEqual([]);
      expect(await problemsOf(`${use}do: [${sent}, { b: { set: { key: $secrets.token } } }]\n`)).toEqual([
        expect.stringMatching('^/do/1/b/set/key .* can be used only in the arguments'),
      ]);
    });
  });
});
