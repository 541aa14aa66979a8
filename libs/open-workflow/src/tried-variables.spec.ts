import { parseWorkflow } from './definition/parse-workflow.js';
import { HEAD } from './definition/testing.js';
import { triedVariables } from './tried-variables.js';

const TEXT = `${HEAD}use:
  functions: { shout: { do: [{ a: { set: { b: 1 } } }] } }
do:
  - loop:
      for: { each: pet, in: .pets }
      do:
        - rooms: { for: { in: [{ n: 1 }, { n: 2 }], at: number }, do: [{ say: { wait: PT1S } }] }
  - 'a/b': { fork: { branches: [{ c: { wait: PT1S } }] } }
  - tried:
      try: [{ d: { call: shout } }]
      catch: { as: problem, do: [{ e: { wait: PT1S } }] }
`;

describe('the variables that a task is tried with', () => {
  const variablesAt = async (pointer: string) => {
    const { definition } = await parseWorkflow(TEXT, { knowsFunction: () => false });
    if (definition === null) throw new Error('the workflow has mistakes');
    return triedVariables(definition, pointer);
  };

  it.each([
    ['/do/0/loop', {}],
    ['/do/0/loop/do/0/rooms', { pet: null, index: 0 }],
    ['/do/0/loop/do/0/rooms/do/0/say', { pet: null, index: 0, item: { n: 1 }, number: 0 }],
    ['/do/1/a~1b/fork/branches/0/c', {}],
    ['/do/2/tried/try/0/d', {}],
    ['/do/2/tried/catch/do/0/e', { problem: expect.objectContaining({ status: 500 }) as unknown }],
    ['/use/functions/shout', {}],
    ['/use/functions/shout/do/0/a', {}],
  ])('are those around it: %s', async (pointer, variables) => {
    expect(await variablesAt(pointer)).toEqual(variables);
  });

  it.each([
    ...['', '/', '/do', '/do/0', '/do/1/loop', '/do/0/loop/do', '/do/0/loop/for', '/do/0/loop/do/0/rooms/for/in/0'],
    ...['/use/functions', '/use/functions/none', '/input', '/do/length', '/do/2/tried/catch', '/do/0/constructor'],
  ])('are absent where there is no task: %j', async (pointer) => {
    expect(await variablesAt(pointer)).toBeUndefined();
  });
});
