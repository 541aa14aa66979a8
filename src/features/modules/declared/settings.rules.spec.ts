import { readDeclaration } from './declaration.rules.js';
import type { DeclaredSetting, SettingValue } from './module.js';
import {
  fittingValues,
  misfitsOf,
  problemsOfValues,
  schemaOfSettings,
  settingsOf,
  valuesFor,
} from './settings.rules.js';

const skill = (settings: unknown, name = 'a') => ({ name, description: 'Does it.', uses: { settings } });
const problemsIn = (...skills: object[]) => {
  const read = readDeclaration(JSON.stringify(skills));
  return 'problems' in read ? read.problems : [];
};
const declared = (settings: object): DeclaredSetting[] => {
  const read = readDeclaration(JSON.stringify([skill(settings)]));
  if ('problems' in read) throw new Error(read.problems.join());
  return settingsOf(read.skills);
};

const LIMIT = { type: 'integer', minimum: 1, maximum: 10, default: 5 };
const MODE = { type: 'string', enum: ['fast', 'exact'] };

describe('the settings that a skill declares', () => {
  it('become a schema of their values, in their order', () => {
    const settings = declared({ limit: LIMIT, mode: MODE, on: { type: 'boolean', default: false } });
    expect(schemaOfSettings(settings)).toEqual({
      type: 'object',
      properties: { limit: LIMIT, mode: MODE, on: { type: 'boolean', default: false } },
      additionalProperties: false,
    });
  });

  it.each<[string, unknown, string]>([
    ['no object', [], 'its uses.settings must be an object of at most 20 settings'],
    ['a name that is none', { 'a b': LIMIT }, 'uses.settings.a b needs a name'],
    ['another type', { a: { type: 'array' } }, 'uses.settings.a needs a type: string, integer, number, boolean'],
    ['no setting', { a: 5 }, 'uses.settings.a needs a type'],
    [
      'a keyword that is not taken',
      { a: { type: 'string', pattern: '.' } },
      'uses.settings.a has "pattern"; a setting has type',
    ],
    ['a long description', { a: { ...LIMIT, description: 'x'.repeat(501) } }, 'uses.settings.a has a description'],
    ['a bound of a text', { a: { type: 'string', minimum: 1 } }, 'uses.settings.a has a minimum or maximum'],
    ['a bound that is no number', { a: { type: 'number', maximum: '1' } }, 'uses.settings.a has a minimum or maximum'],
    ['no choice', { a: { type: 'string', enum: [] } }, 'uses.settings.a has an enum'],
    ['choices twice', { a: { type: 'string', enum: ['x', 'x'] } }, 'uses.settings.a has an enum'],
    ['choices of a number', { a: { type: 'integer', enum: ['1'] } }, 'uses.settings.a has an enum'],
    [
      'a default outside',
      { a: { ...LIMIT, default: 11 } },
      'uses.settings.a has a default that does not fit: it must be at most 10',
    ],
    ['a default of another type', { a: { type: 'boolean', default: 'no' } }, 'must be true or false'],
    ['an integer with a fraction', { a: { type: 'integer', default: 1.5 } }, 'must be an integer'],
    ['too many', Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`s${n}`, MODE])), 'at most 20 settings'],
  ])('are refused with what is wrong: %s', (_what, settings, problem) => {
    expect(problemsIn(skill(settings))).toEqual([expect.stringContaining(problem)]);
  });

  it('are the same in all skills of a module', () => {
    expect(problemsIn(skill({ limit: LIMIT }), skill({ limit: LIMIT }, 'b'))).toEqual([]);
    expect(problemsIn(skill({ limit: LIMIT }), skill({ limit: MODE }, 'b'))).toEqual([
      expect.stringContaining('two skills declare the setting limit in different ways'),
    ]);
    const many = (from: number) => Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`s${from + n}`, MODE]));
    expect(problemsIn(skill(many(0)), skill(many(10), 'b'))).toEqual([
      expect.stringContaining('more than 20 settings together'),
    ]);
  });
});

describe('the values that calls get', () => {
  const settings = declared({ limit: LIMIT, mode: MODE, name: { type: 'string' } });

  it.each<[string, Record<string, SettingValue>, object]>([
    ['nothing is set', {}, { limit: 5 }],
    ['all is set', { limit: 1, mode: 'exact', name: '' }, { limit: 1, mode: 'exact', name: '' }],
    ['what is set is too large', { limit: 11, mode: 'exact' }, { limit: 5, mode: 'exact' }],
    ['what is set has another type', { limit: '3', mode: true }, { limit: 5 }],
    ['something is set that is not declared', { other: 1, toString: 'x' }, { limit: 5 }],
  ])('are the valid values that are set, else the defaults: %s', (_when, given, expected) => {
    expect(valuesFor(settings, given)).toEqual(expected);
  });

  it('omit values that no longer fit, and report them', () => {
    const given = { limit: 11, mode: 'exact', gone: 'x' };
    expect(fittingValues(settings, given)).toEqual({ mode: 'exact' });
    expect(misfitsOf(settings, given)).toEqual([{ name: 'limit', value: 11, problem: 'must be at most 10' }]);
  });

  it('are refused when they are given and do not fit', () => {
    expect(problemsOfValues(settings, { limit: 0, mode: 'slow', name: 'x'.repeat(2_001), on: 1 })).toEqual([
      { path: 'values.limit', message: 'must be at least 1' },
      { path: 'values.mode', message: 'must be one of fast, exact' },
      { path: 'values.name', message: 'must have at most 2000 characters' },
      { path: 'values.on', message: 'is no setting of the module: it has limit, mode, name' },
    ]);
    expect(problemsOfValues(settings, { limit: null, name: {} })).toHaveLength(2);
    expect(problemsOfValues(settings, { limit: 10, mode: 'fast', name: 'x' })).toEqual([]);
  });
});
