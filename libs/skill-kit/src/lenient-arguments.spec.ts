import { lenientArguments } from './lenient-arguments.js';

const SCHEMA = {
  type: 'object',
  properties: {
    count: { type: 'integer' },
    share: { type: 'number' },
    isNew: { type: 'boolean' },
    name: { type: 'string' },
    query: { type: 'string', minLength: 1 },
    title: { type: 'string', minLength: 0 },
    maybe: { type: ['string', 'null'] },
    any: {},
    needed: { type: 'string', minLength: 1 },
    list: { type: 'array', items: { type: 'integer' } },
    tags: { type: 'array', items: { type: 'string' } },
    unit: { type: 'string', enum: ['kg', 'EUR', 'eur'] },
    day: { type: 'string', pattern: '^(?:\\d+-)+\\d$' },
    either: { type: ['object', 'array'] },
    loose: { type: ['array', 'string'] },
    inner: { type: 'object', properties: { count: { type: 'integer' }, note: { type: 'string' } } },
  },
  required: ['needed'],
};

describe('lenientArguments', () => {
  it.each([
    [{ count: '5' }, { count: 5 }],
    [
      { count: '-12', share: '0.5' },
      { count: -12, share: 0.5 },
    ],
    [{ isNew: 'true' }, { isNew: true }],
    [{ isNew: 'false' }, { isNew: false }],
    [{ name: null, count: null, list: null }, {}],
    [{ query: '', count: 1 }, { count: 1 }],
    [{ list: ['1', 2] }, { list: [1, 2] }],
    [{ tags: 'db' }, { tags: ['db'] }],
    [{ tags: '["a", "b"]' }, { tags: ['a', 'b'] }],
    [{ list: ' [1,"2"]' }, { list: [1, 2] }],
    [{ inner: '{"count":"7","note":null}' }, { inner: { count: 7 } }],
    [{ either: '{"a":1}' }, { either: { a: 1 } }],
    [{ unit: 'KG' }, { unit: 'kg' }],
    [{ count: '', isNew: '', list: '', tags: '', unit: '', day: '', inner: '' }, {}],
    [{ inner: { count: '7', note: null } }, { inner: { count: 7 } }],
  ])('takes %j for %j', (args, expected) => {
    const before = structuredClone(args);
    expect(lenientArguments(args, SCHEMA)).toEqual(expected);
    expect(args).toEqual(before);
  });

  it.each([
    { count: '5.0' },
    { tags: 'a, b' },
    { tags: '["a"' },
    { list: '{"a":1}' },
    { tags: '["a\\u0000"]' },
    { list: `[${'[],'.repeat(10_000)}[]]` },
    { either: '['.repeat(50) + ']'.repeat(50) },
    { loose: '["a"]' },
    { name: '["a"]' },
    { list: ['[1]'] },
    { unit: 'Eur' },
    { unit: 'g' },
    { random_string: 'x' },
    { list: '5' },
    { count: '1e3' },
    { count: '05' },
    { count: ' 5' },
    { count: '99999999999999999' },
    { count: true },
    { isNew: 'yes' },
    { isNew: 1 },
    { isNew: 'True' },
    { name: 5 },
    { name: '5' },
    { maybe: null, any: null, other: null },
    { needed: null },
    { needed: '' },
    { name: '', title: '', maybe: '', any: '', other: '' },
    { query: ' ' },
    { list: '1' },
    { list: [null] },
  ])('leaves %j as it is', (args) => {
    expect(lenientArguments(args, SCHEMA)).toBe(args);
  });

  it('keeps a prototype that is smuggled in a property', () => {
    const args = JSON.parse('{"count":"5","__proto__":{"admin":true}}') as Record<string, unknown>;
    const better = lenientArguments(args, SCHEMA);
    expect(Object.keys(better)).toEqual(['count', '__proto__']);
    expect(better).not.toHaveProperty('admin');
  });

  it('leaves out the argument that clients add to tools without any', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    expect(lenientArguments({ random_string: 'x' }, schema)).toEqual({});
    expect(lenientArguments({ other: 'x' }, schema)).toEqual({ other: 'x' });
  });

  it('takes schemas as they are', () => {
    expect(lenientArguments({ a: null }, { type: 'object' })).toEqual({ a: null });
    expect(lenientArguments({ a: '1' }, { properties: { a: true } })).toEqual({ a: '1' });
  });
});
