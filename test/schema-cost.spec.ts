import { compileJsonSchema, isCheapPattern, mayTakeLong } from '#json-schema';
import { compileSchema, defineSkill } from '#skill-kit';
import { SchemaChecks } from '../src/core/skills/schema-checks.service.js';
import { skillOf } from '../src/core/skills/testing.js';
import { Random } from './fuzz/random.js';
import { growthOf, LINEAR } from './support/growth.js';

const SEED = 1009;
/** Measures this many patterns at once. */
const IN_ONE = 50;
const LENGTH = 10_000;
/** Parts of the worst-case texts: some part of a pattern repeats each of them. */
const PARTS = [
  'a',
  ' ',
  '1',
  'ab',
  '.',
  '\\s',
  '\\d',
  '\\w',
  '\\.',
  '\\b',
  'x',
  '[ab]',
  '(a)',
  '(?:a|b)',
  'a|',
  '^',
  '$',
];
const REPETITIONS = ['', '', '', '*', '+', '?', '*?', '{2,}', '{3}'];
const UNITS = ['a', ' ', '1', 'ab', 'aaaaaaaaab', 'x', '.'];

const isPattern = (pattern: string): boolean => {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

/** Returns patterns, most of which contain repetitions, anchored or not. */
function patterns(count: number, isWanted: (pattern: string) => boolean): string[] {
  const random = new Random(SEED);
  const found = new Set<string>();
  while (found.size < count) {
    const parts = Array.from({ length: random.integer(1, 6) }, () => random.pick(PARTS) + random.pick(REPETITIONS));
    const pattern = `${random.pick(['^', '^', ''])}${parts.join('')}${random.pick(['', '$'])}`;
    if (isPattern(pattern) && isWanted(pattern)) found.add(pattern);
  }
  return [...found];
}

const worstTexts = (length: number): string[] =>
  UNITS.flatMap((unit) => ['', '!'].map((end) => unit.repeat(length / unit.length) + end));

describe('checks of data by schemas that others write', () => {
  const cheap = patterns(400, isCheapPattern);
  const checks = new SchemaChecks();
  afterAll(() => checks.beforeApplicationShutdown());

  it.each(
    Array.from({ length: cheap.length / IN_ONE }, (_, index) => cheap.slice(index * IN_ONE, (index + 1) * IN_ONE)),
  )('take time in proportion to the text, where no guard stops them: %s and others', async (...some) => {
    const checks = some.map((pattern) => compileJsonSchema({ pattern }, { allErrors: false }));
    const growth = await growthOf((size) => {
      for (const text of worstTexts(size * LENGTH)) for (const check of checks) check(text);
    });
    expect(growth).toBeLessThan(LINEAR);
  });

  it.each([
    ['a repetition from any place', { type: 'string', pattern: '\\s+$' }, `${' '.repeat(300_000)}!`],
    ['exponential patterns', { type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(100)}!`],
    ['many options', { type: 'string', pattern: `^${'a?'.repeat(40)}${'a'.repeat(40)}$` }, `${'a'.repeat(60)}!`],
    ['pairs of items', { type: 'array', uniqueItems: true }, Array.from({ length: 40_000 }, (_, id) => ({ id }))],
    ['alternatives that refer to each other', doubling(40), {}],
  ])('are not finished in the main thread: %s', (_what, schema, value) => {
    const input = { type: 'object', properties: { value: schema } };
    expect(compileSchema(input)({ value })).toBeNull();
  });

  it('are aborted in another thread, too, when they would never end', async () => {
    const input = { type: 'object', properties: { value: { type: 'string', pattern: '^(a+)+$' } } };
    const skill = defineSkill(skillOf({ name: 'guarded', input }));
    const value = `${'a'.repeat(100)}!`;
    expect(skill.parse({ value })).toBeNull();
    expect(await checks.parseElsewhere(input, { value }, {})).toEqual({
      problems: [expect.stringContaining('too large to validate in time')],
    });
  });

  it('leave long data to another thread at once', () => {
    const check = compileSchema({ type: 'object', properties: { value: { format: 'uri' } } });
    for (const long of ['x'.repeat(9_000), Array(9_000).fill(1), { ['x'.repeat(9_000)]: 1 }]) {
      expect(check({ value: long })).toBeNull();
    }
  });

  it('are finished in another thread, where they take no more than seconds', async () => {
    const input = { type: 'object', properties: { value: { type: 'array', uniqueItems: true } } };
    const skill = defineSkill(skillOf({ name: 'guarded', input, output: input }));
    const value = Array.from({ length: 3_000 }, (_, id) => ({ id }));
    expect(skill.parse({ value })).toBeNull();
    expect(await checks.parseElsewhere(input, { value }, {})).toEqual({ input: { value } });
    expect(await checks.parseElsewhere(input, { value: [...value, { id: 0 }] }, {})).toEqual({
      problems: [expect.stringContaining('must NOT have duplicate items')],
    });
    expect(await checks.outputProblems(skill, { value }, {})).toEqual([]);
    expect(await checks.problems(input, { value: [...value, { id: 0 }] })).toHaveLength(1);
  });

  it('are guarded for every pattern, format and reference that is not known to be cheap', () => {
    const others = patterns(1_600, (pattern) => !isCheapPattern(pattern));
    for (const pattern of others)
      expect([pattern, mayTakeLong({ properties: { a: { pattern } } })]).toEqual([pattern, true]);
    for (const rule of [{ format: 'email' }, { format: 'uri' }, { $ref: '#/$defs/a' }, { $dynamicRef: '#a' }])
      expect(mayTakeLong({ items: { anyOf: [rule] } })).toBe(true);
  });
});

/** A schema in which each part refers twice to the next, and no value matches. */
function doubling(depth: number): object {
  const parts = Array.from({ length: depth }, (_, level) => {
    const next = { $ref: `#/properties/value/$defs/p${level + 1}` };
    return [`p${level}`, { anyOf: [{ allOf: [next] }, { allOf: [next, true] }] }] as const;
  });
  return { $ref: '#/properties/value/$defs/p0', $defs: { ...Object.fromEntries(parts), [`p${depth}`]: false } };
}
