import { Scenario } from './testing.js';

const SCHEMA =
  '{ document: { type: object, required: [n], properties: { n: { type: integer } }, additionalProperties: false } }';
const problem = (detail: string, instance: string) => ({
  type: 'https://serverlessworkflow.io/spec/1.0.0/errors/validation',
  title: 'Validation Error',
  status: 400,
  detail,
  instance,
});

describe('the data flow', () => {
  it('transforms the input and the output of the workflow', async () => {
    const yaml = `
input: { from: '{ n: .number }' }
output: { as: { result: '\${ .n }', of: '\${ $workflow.input.number }', context: '\${ $context }' } }
do: [{ a: { set: { n: '\${ $input.n + 1 }' }, export: { as: '{ last: .n }' } } }]
`;
    expect(await new Scenario(yaml, { input: { number: 4 } }).output()).toEqual({
      result: 5,
      of: 4,
      context: { last: 5 },
    });
  });

  it('fills in the defaults of the schema of the input', async () => {
    const yaml = `
input: { schema: { document: { type: object, properties: { hours: { type: integer, default: 24 } } } } }
do: [{ a: { set: { all: '\${ [., $workflow.input] }' } } }]
`;
    const all = [{ hours: 24 }, { hours: 24 }];
    expect(await new Scenario(yaml, { input: {} }).output()).toEqual({ all });
  });

  it('gives a task its input, raw and transformed, and its outputs to its transformations', async () => {
    const yaml = `
do:
  - a:
      input: { from: { n: '\${ .a }' } }
      set: { in: '\${ . }', raw: '\${ $task.input }' }
      output: { as: { all: '\${ . }', input: '\${ $input }', rawOutput: '\${ $task.output.in }' } }
      export: { as: { output: '\${ $output.input }', data: '\${ .rawOutput }' } }
  - b: { set: { data: '\${ . }', context: '\${ $context }' } }
`;
    expect(await new Scenario(yaml, { input: { a: 1 } }).output()).toEqual({
      data: { all: { in: { n: 1 }, raw: { a: 1 } }, input: { n: 1 }, rawOutput: { n: 1 } },
      context: { output: { n: 1 }, data: { n: 1 } },
    });
  });

  it('begins with an empty context, and keeps the last export', async () => {
    const yaml = `
do:
  - a: { set: { n: 1 }, export: { as: '$context + { a: .n }' } }
  - b: { do: [{ c: { set: { n: 2 }, export: { as: '$context + { c: .n }' } } }] }
  - d: { set: '\${ $context }' }
`;
    expect(await new Scenario(yaml).output()).toEqual({ a: 1, c: 2 });
  });

  it.each([
    [
      'a default of the input',
      `{ input: { schema: { document: { type: object, properties: { m: { default: 1 } }, maxProperties: 1 } } }, do: [{ a: { set: {} } }] }`,
      'The input of the workflow does not fit its schema: / must NOT have more than 1 properties.',
      '/input',
    ],
    [
      'the input of the workflow',
      `{ input: { schema: ${SCHEMA} }, do: [{ a: { set: {} } }] }`,
      'The input of the workflow does not fit its schema: /n must be integer.',
      '/input',
    ],
    [
      'the input of a task',
      `{ do: [{ a: { input: { schema: ${SCHEMA}, from: '{ n: 1 }' }, set: {} } }] }`,
      'The input of the task does not fit its schema: /n must be integer.',
      '/do/0/a',
    ],
    [
      'the output of a task',
      `{ do: [{ a: { set: { n: 1, m: 2 }, output: { schema: ${SCHEMA} } } }] }`,
      'The output of the task does not fit its schema: / must NOT have additional properties: m.',
      '/do/0/a',
    ],
    [
      'the context',
      `{ do: [{ a: { set: {}, export: { as: '{}', schema: ${SCHEMA} } } }] }`,
      "The context does not fit its schema: / must have required property 'n'.",
      '/do/0/a',
    ],
    [
      'the output of the workflow',
      `{ output: { schema: ${SCHEMA} }, do: [{ a: { set: {} } }] }`,
      "The output of the workflow does not fit its schema: / must have required property 'n'.",
      '/output',
    ],
  ])('checks %s against its schema', async (_, yaml, detail, instance) => {
    expect(await new Scenario(yaml, { input: { n: 'one' } }).problem()).toEqual(problem(detail, instance));
  });

  it('says where an expression of the workflow itself is wrong', async () => {
    expect(await new Scenario(`{ output: { as: '1 + "a"' }, do: [{ a: { set: {} } }] }`).problem()).toMatchObject({
      status: 400,
      instance: '/output',
    });
  });

  it('never takes data for an expression or a template', async () => {
    const yaml = `do: [{ a: { set: { copied: '\${ .text }' } } }, { b: { set: '\${ . }' } }]`;
    expect(await new Scenario(yaml, { input: { text: '${ 1 + 1 }' } }).output()).toEqual({ copied: '${ 1 + 1 }' });
  });
});
