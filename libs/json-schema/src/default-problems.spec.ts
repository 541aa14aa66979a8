import { problemsOfDefaults } from '#json-schema';

const show = (schema: object) => problemsOfDefaults(schema).map(({ path, message }) => `${path} ${message}`);

describe('problemsOfDefaults', () => {
  it('names each default that does not fit its own schema', () => {
    const limit = { type: 'integer', maximum: 10, default: 50 };
    const tags = { type: 'array', items: { enum: ['a', 'b'], default: 'c' }, default: ['a'] };
    const deep = { type: 'object', properties: { 'a/b %': { type: 'string', pattern: '^x', default: 'y' } } };
    expect(show({ type: 'object', properties: { limit, tags, deep } })).toEqual([
      '/properties/limit/default does not fit its own schema: must be <= 10',
      '/properties/tags/items/default does not fit its own schema: must be equal to one of the allowed values',
      '/properties/deep/properties/a~1b %/default does not fit its own schema: must match pattern "^x"',
    ]);
  });

  it('follows references', () => {
    const $defs = { size: { enum: ['s', 'm'] } };
    const size = (value: string) => ({ $ref: '#/$defs/size', default: value });
    expect(show({ $defs, properties: { a: size('s'), b: size('xl') } })).toEqual([
      '/properties/b/default does not fit its own schema: must be equal to one of the allowed values',
    ]);
  });

  it.each([
    ['a property of this name', { properties: { default: { type: 'string' } } }],
    [
      'what nested defaults complete',
      { properties: { a: { required: ['b'], properties: { b: { default: 1 } }, default: {} } } },
    ],
    [
      'a schema of another dialect, with an id',
      { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'x', type: 'object', default: {} },
    ],
    ['data that looks like a schema', { const: { properties: { a: { type: 'string', default: 1 } } } }],
  ])('accepts %s', (_what, schema) => {
    expect(show(schema)).toEqual([]);
  });

  it('leaves a default to the calls whose check may take long', () => {
    const slow = { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(2_000)}!` };
    expect(show({ properties: { slow } })).toEqual([]);
  });
});
