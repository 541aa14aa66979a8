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
    return problems.map(({ path, line, column, message }) => `${path} ${line}:${column} ${message}`);
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

  it('are shown as they must be written, and then mean what was meant', async () => {
    const text = 'Dear "${ .name }"\\\n\u0001: ${ {n: {m: .n}} | .n.m // "}" } of ${ "\\(.n)" }${ "\\("}")" }.';
    const form = wholeExpression(text) ?? '';
    expect(await jq.evaluate([programOf(form)], { name: 'Ada', n: 2 }, {})).toEqual(['Dear "Ada"\\\n\u0001: 2 of 2}.']);
  });

  it.each(['no expression', 'half ${ .a', 'half ${ "}', '${ }', 'a ${ } b'])('are not made of %j', (text) => {
    expect(wholeExpression(text)).toBeUndefined();
  });

  it('may name what they are written in', async () => {
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

  it('need no ${ } in loose mode, where other texts stand for themselves', async () => {
    const text = `${HEAD}evaluate: { mode: loose }\ndo:\n  - a: { wait: PT1S, if: this is no program }\n`;
    expect(await problemsOf(text)).toEqual([]);
  });
});
