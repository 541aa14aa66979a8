import { inspectWorkflow } from '#open-workflow';
import { listenedTypes } from './listened-types.rules.js';

const HEAD = 'document: { dsl: 1.0.3, namespace: test, name: tested, version: 1.0.0, summary: Is tested. }\n';

function typesOf(tasks: string, more = ''): string[] {
  const { definition, problems } = inspectWorkflow(`${HEAD}${more}do: [${tasks}]`);
  if (definition === null) throw new Error(JSON.stringify(problems));
  return listenedTypes(definition);
}

const hears = (name: string, filter: string) => `{ ${name}: { listen: { to: { one: { with: ${filter} } } } } }`;

describe('the types of events that a workflow listens for', () => {
  it.each([
    ['a name', '{ type: order.paid }', ['order.paid']],
    ['a regular expression', "{ type: 'order[.](paid|sent)' }", ['~order[.](paid|sent)']],
    ['an expression', "{ type: '${ .type }' }", ['*']],
    ['a filter without a type', '{ source: /shop }', ['*']],
    ['a text that is too long for a regular expression', `{ type: '${'(a)'.repeat(200)}' }`, ['*']],
  ])('are told by %s', (_title, filter, types) => {
    expect(typesOf(hears('a', filter))).toEqual(types);
  });

  it('are any, where texts may be evaluated', () => {
    expect(typesOf(hears('a', "{ type: 'order[.]paid' }"), 'evaluate: { mode: loose }\n')).toEqual(['*']);
  });
});
