import { differenceBefore } from './difference.js';
import { inspectWorkflow } from './inspection.js';
import type { WorkflowDefinition } from '../model.js';

function parsed(text: string): WorkflowDefinition {
  const { definition, problems } = inspectWorkflow(text);
  if (!definition) throw new Error(JSON.stringify(problems));
  return definition;
}

const TEXT = `document: { dsl: 1.0.3, namespace: test, name: sale, version: 1.0.0, summary: Sells. }
input: { schema: { document: { type: object } } }
timeout: { after: PT1H }
use:
  functions: { tell: { call: note, with: { text: told } }, other: { call: note, with: { text: other } } }
  retries: { patient: { limit: { attempt: { count: 3 } } } }
do:
  - look: { call: find, with: { what: shoes } }
  - sell:
      try:
        - pay: { call: charge, with: { amount: 5 }, output: { as: .paid } }
        - send: { call: post, with: { by: train } }
        - thank: { call: write, with: { text: thanks } }
      catch: { retry: patient }
      output: { as: .sold }
      then: both
  - both:
      fork:
        branches:
          - left: { call: note, with: { text: left } }
          - right: { do: [{ first: { call: note, with: { text: first } } }, { second: { call: note, with: { text: second } } }] }
  - last: { call: tell }
`;

const SEND = '/do/1/sell/try/1/send';
const PAY = '/do/1/sell/try/0/pay';
const LOOK = '/do/0/look';

/** Returns the difference that a replacement in the text makes. */
function afterChange(from: string, to: string, task: string, done: string[]): string | null {
  expect(TEXT).toContain(from);
  return differenceBefore(parsed(TEXT), parsed(TEXT.replace(from, to)), { task, done });
}

describe('two versions of a workflow', () => {
  it.each([
    ['the version', 'version: 1.0.0', 'version: 1.1.0'],
    ['the task itself', 'by: train', 'by: ship'],
    ['what comes after it', 'text: thanks', 'text: bye'],
    ['the end of a task around it', 'as: .sold', 'as: .done'],
    ['where it goes then', 'then: both', 'then: last'],
    ['what catches its errors', 'retry: patient', 'do: [{ tell: { call: tell } }]'],
    ['a function that was not called', 'text: other', 'text: changed'],
    ['the time that it has', 'after: PT1H', 'after: PT2H'],
  ])('are the same before a task when they differ in %s', (_what, from, to) => {
    expect(afterChange(from, to, SEND, [LOOK, PAY])).toBeNull();
  });

  it.each([
    ['an earlier task', 'what: shoes', 'what: hats', LOOK],
    ['an earlier task of the same list', 'amount: 5', 'amount: 6', PAY],
    ['the output of an earlier task', 'as: .paid', 'as: .other', PAY],
    ['the name of an earlier task', '- look:', '- find:', LOOK],
    ['a task that is new before it', '- look: {', '- new: { set: { a: 1 } }\n  - look: {', LOOK],
    ['its name', '- send:', '- deliver:', '/do/1/sell/try/1/deliver'],
    ['the name of a task around it', '- sell:', '- trade:', '/do/1/trade'],
    ['a condition of a task around it', 'output: { as: .sold }', 'if: .ready', '/do/1/sell/if'],
    ['the input of the workflow', 'type: object', 'type: object, required: [a]', '/input'],
    ['how it is tried again', 'count: 3', 'count: 1', '/use/retries'],
  ])('differ before a task in %s', (_what, from, to, where) => {
    const done = [LOOK, PAY].filter((one) => one === where);
    expect(afterChange(from, to, SEND, done)).toBe(where);
    // Even if no step of it is recorded.
    expect(afterChange(from, to, SEND, [])).toMatch(/^\/(do|input|use)/);
  });

  it('differ in a branch beside the task, if that has ended', () => {
    const [left, second] = ['/do/2/both/fork/branches/0/left', '/do/2/both/fork/branches/1/right/do/1/second'];
    expect(afterChange('text: left', 'text: changed', second, [left])).toBe(left);
    expect(afterChange('text: second', 'text: changed', left, [second])).toBe(second);
    expect(afterChange('text: second', 'text: changed', left, [])).toBeNull();
  });

  it('differ in a function that was called', () => {
    expect(afterChange('text: told', 'text: changed', SEND, ['/use/functions/tell'])).toBe('/use/functions/tell');
    expect(afterChange('text: told', 'text: changed', SEND, [LOOK])).toBeNull();
  });

  it.each([
    ['without steps', 'tell: { set: { a: 1 } }', 'tell: { set: { a: 2 } }', []],
    [
      'in a task without steps',
      'tell: { do: [{ say: { call: note } }, { add: { set: { a: 1 } } }] }',
      'tell: { do: [{ say: { call: note } }, { add: { set: { a: 2 } } }] }',
      ['/use/functions/tell/do/0/say'],
    ],
    [
      'that another one calls',
      'tell: { call: more }, more: { set: { a: 1 } }',
      'tell: { call: more }, more: { set: { a: 2 } }',
      [],
    ],
  ])('differ in a function %s that was called', (_what, one, other, done) => {
    const text = (tell: string) =>
      parsed(
        TEXT.replace('tell: { call: note, with: { text: told } }', tell).replace(
          'call: find, with: { what: shoes }',
          'call: tell',
        ),
      );
    const difference = differenceBefore(text(one), text(other), { task: SEND, done });
    expect(difference).toBe(one.includes('more') ? '/use/functions/more' : '/use/functions/tell');
    expect(differenceBefore(text(one), text(other), { task: LOOK, done: [] })).toBeNull();
  });

  it('differ in a function of which a later task or a branch beside has ended a part', () => {
    const text = (a: number) =>
      parsed(
        TEXT.replace(
          'tell: { call: note, with: { text: told } }',
          `tell: { do: [{ say: { call: note } }, { add: { set: { a: ${a} } } }] }`,
        ),
      );
    const done = ['/use/functions/tell/do/0/say'];
    expect(differenceBefore(text(1), text(2), { task: LOOK, done })).toBe('/use/functions/tell');
  });

  it('differ before a task of a function when anything else does', () => {
    expect(afterChange('text: told', 'text: changed', '/use/functions/tell', [LOOK])).toBeNull();
    expect(afterChange('text: thanks', 'text: bye', '/use/functions/tell', [LOOK])).toBe('/do');
    expect(afterChange('text: other', 'text: changed', '/use/functions/tell', [LOOK])).toBe('/use/functions/other');
  });

  it('are the same after a task that is removed behind', () => {
    expect(afterChange('  - last: { call: tell }\n', '', '/do/2/both', [LOOK, PAY])).toBeNull();
    expect(afterChange('  - last: { call: tell }\n', '', '/do/3/last', [LOOK, PAY])).toBe('/do/3');
  });
});
