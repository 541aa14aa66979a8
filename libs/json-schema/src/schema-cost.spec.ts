import { isCheapPattern, mayTakeLong, withinTime } from './schema-cost.js';

describe('the cost of a schema', () => {
  it.each<[string, object, boolean]>([
    ['plain rules', { type: 'object', properties: { a: { type: 'string', maxLength: 5 } }, required: ['a'] }, false],
    ['a simple pattern', { properties: { url: { type: 'string', pattern: '^https?://' } } }, false],
    ['a pattern with groups', { properties: { a: { items: { pattern: '^(a+)+$' } } } }, true],
    ['names with patterns', { patternProperties: { x: {} } }, true],
    ['a reference', { $defs: { a: {} }, anyOf: [{ $ref: '#/$defs/a' }] }, true],
    ['different items', { type: 'array', uniqueItems: true }, true],
    ['a format', { type: 'string', format: 'email' }, true],
    ['a pattern that is tried at every place', { type: 'string', pattern: String.raw`\s+$` }, true],
    ['very many rules', { enum: Array.from({ length: 5_000 }, () => ({})) }, true],
  ])('may be large with some data, or not: %s', (_title, schema, expected) => {
    expect(mayTakeLong(schema)).toBe(expected);
  });

  it.each(['^', '^abc', '^https?://', '^a.*$', String.raw`^\d+$`, '^a\\.b'])(
    'is small for the pattern %s',
    (pattern) => {
      expect(isCheapPattern(pattern)).toBe(true);
    },
  );

  it.each([
    ...['^(a+)+$', '^a*a*', '^[ab]+', '^a|b', '^a{2,}', '(?=a)', `^${'x'.repeat(50)}`],
    ...[String.raw`\s+$`, 'a*', 'abc', '', 'a?a?a?aaa', String.raw`a\.b`],
  ])('may be large for the pattern %s', (pattern) => {
    expect(isCheapPattern(pattern)).toBe(false);
  });
});

describe('work within a time', () => {
  it('returns what the work returns, and throws what it throws', () => {
    expect(withinTime(10_000, () => 1)).toBe(1);
    const error = new RangeError('no');
    expect(() =>
      withinTime(10_000, () => {
        throw error;
      }),
    ).toThrow(error);
  });

  it('is stopped when it takes longer', () => {
    expect(withinTime(20, () => /^(a+)+$/.test(`${'a'.repeat(40)}!`))).toBeUndefined();
    expect(withinTime(10_000, () => 2)).toBe(2);
  });
});
