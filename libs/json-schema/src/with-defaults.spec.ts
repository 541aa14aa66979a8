import { withDefaults } from '#json-schema';

const SCHEMA = {
  properties: {
    limit: { default: 20 },
    tags: { default: [] },
    page: { properties: { size: { default: 5 } } },
    rows: { items: { properties: { unit: { default: 'EUR' } } } },
  },
};

describe('withDefaults', () => {
  it.each([
    ['absent properties', {}, { limit: 20, tags: [] }],
    ['no property that is there', { limit: null, tags: ['a'] }, { limit: null, tags: ['a'] }],
    ['objects that are there', { limit: 1, tags: [], page: {} }, { limit: 1, tags: [], page: { size: 5 } }],
    [
      'the items of lists',
      { limit: 1, tags: [], rows: [{}, { unit: 'kg' }, 7] },
      { limit: 1, tags: [], rows: [{ unit: 'EUR' }, { unit: 'kg' }, 7] },
    ],
  ])('fills in %s', (_, value, expected) => {
    const before = structuredClone(value);
    expect(withDefaults(value, SCHEMA)).toEqual(expected);
    expect(value).toEqual(before);
  });

  it('returns the value itself when nothing is missing', () => {
    const value = { limit: 1, tags: [], page: { size: 1 }, rows: [{ unit: 'kg' }] };
    for (const schema of [SCHEMA, {}, undefined, { properties: true }, { items: true }, true])
      expect(withDefaults(value, schema)).toBe(value);
    for (const other of [[{}], 'text', null, 7]) expect(withDefaults(other, SCHEMA)).toBe(other);
  });

  it('adds a property of any name without changing a prototype', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"default":{"isAdmin":true}}}}') as object;
    const filled = withDefaults({}, schema);
    expect(Object.keys(filled)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype);
  });
});
