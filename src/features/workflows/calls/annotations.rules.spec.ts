import { parse } from 'yaml';
import type { WorkflowDefinition } from '#open-workflow';
import type { SkillAnnotations } from '#skill-kit';
import { annotationsOf } from './annotations.rules.js';

const SKILLS: Record<string, SkillAnnotations> = {
  knowledge_search: { readOnlyHint: true, openWorldHint: false },
  memory_save: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  other: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
};

/** The first words of the hints that are true. */
function hintsOf(text: string, metadata?: object): string {
  const document = { dsl: '1.0.3', namespace: 'test', name: 'tested', version: '1.0.0', ...(metadata && { metadata }) };
  const definition = { document, ...(parse(text) as object) } as WorkflowDefinition;
  return Object.entries(annotationsOf(definition, (name) => SKILLS[name]))
    .flatMap(([name, isTrue]) => (isTrue ? [name.replace('Hint', '')] : []))
    .join(' ');
}

const http = (method: string) =>
  `do: [{ a: { call: http, with: { method: ${method}, endpoint: 'https://a.example' } } }]`;
const call = (name: string) => `{ a: { call: ${name} } }`;

describe('the annotations of a workflow', () => {
  it.each([
    ['data alone', 'do: [{ a: { set: { x: 1 } } }, { b: { wait: PT1S } }]', 'readOnly idempotent'],
    ['a skill that reads', `do: [${call('knowledge_search')}]`, 'readOnly idempotent'],
    ['a skill that writes', `do: [${call('knowledge_search')}, ${call('memory_save')}]`, 'idempotent'],
    ['a skill that nobody knows', `do: [${call('unknown')}]`, 'destructive openWorld'],
    ['a request that reads', http('GET'), 'readOnly idempotent openWorld'],
    ['a request that replaces', http('put'), 'destructive idempotent openWorld'],
    ['a request that may do anything', http('post'), 'destructive openWorld'],
    ['a request whose method is computed', http('"${ .m }"'), 'destructive openWorld'],
    ['events that it emits', 'do: [{ a: { emit: { event: { with: { type: x } } } } }]', 'destructive openWorld'],
    [
      'another workflow',
      'do: [{ a: { run: { workflow: { namespace: test, name: other } } } }]',
      'readOnly idempotent openWorld',
    ],
    ['itself', 'do: [{ a: { run: { workflow: { namespace: test, name: tested } } } }]', 'readOnly idempotent'],
    ['a function of its own', `{ use: { functions: { f: { call: memory_save } } }, do: [${call('f')}] }`, 'idempotent'],
    [
      'functions that call each other',
      `{ use: { functions: { f: { call: g }, g: { call: f } } }, do: [${call('f')}] }`,
      'readOnly idempotent',
    ],
    [
      'a function that it does not call',
      `{ use: { functions: { f: { call: unknown } } }, do: [] }`,
      'readOnly idempotent',
    ],
    ['tasks in a loop', `do: [{ l: { for: { in: [1] }, do: [${call('memory_save')}] } }]`, 'idempotent'],
    ['tasks in branches', `do: [{ l: { fork: { branches: [${call('memory_save')}] } } }]`, 'idempotent'],
    ['tasks that are tried', `do: [{ l: { try: [${call('memory_save')}], catch: {} } }]`, 'idempotent'],
    ['tasks of a catch', `do: [{ l: { try: [], catch: { do: [${call('memory_save')}] } } }]`, 'idempotent'],
  ])('follow from %s', (_what, text, expected) => {
    expect(hintsOf(text)).toBe(expected);
  });

  it('are what the workflow says', () => {
    expect(hintsOf(http('post'), { annotations: { readOnlyHint: true, destructiveHint: false } })).toBe(
      'readOnly openWorld',
    );
  });
});
