import { catalogueWarnings, skillWarnings } from './skill-catalogue.rules.js';

type Skill = Parameters<typeof skillWarnings>[0];

const good: Skill = {
  name: 'forecast',
  description: 'Use it to know the weather.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
};

describe('skillWarnings', () => {
  it('has nothing to say about a good skill', () => {
    expect(skillWarnings({ ...good, outputSchema: { type: 'object', properties: {} } })).toEqual([]);
  });

  it.each<[string, Partial<Skill>]>([
    ['41 characters', { name: 'x'.repeat(41) }],
    ['description is missing', { description: ' ' }],
    ['2049 bytes', { description: 'x'.repeat(2049) }],
    ['input schema has no "properties"', { inputSchema: { type: 'object' } }],
    ['output schema has no "properties"', { outputSchema: { type: 'object' } }],
    ['anyOf, allOf at its root', { inputSchema: { properties: {}, anyOf: [], allOf: [] } }],
    ['uses $ref', { inputSchema: { properties: { a: { items: [{ $ref: '#/$defs/A' }] } } } }],
    ['declares draft-07', { inputSchema: { properties: {}, $schema: 'http://json-schema.org/draft-07/schema#' } }],
    ['no annotations', { annotations: {} }],
  ])('warns: %s', (warning, change) => {
    expect(skillWarnings({ ...good, ...change })).toEqual([expect.stringContaining(warning)]);
  });

  it('takes a property called $ref for what it is', () => {
    expect(skillWarnings({ ...good, inputSchema: { properties: { $ref: { type: 'string' } } } })).toEqual([]);
  });
});

describe('catalogueWarnings', () => {
  it('warns from 41 enabled skills on', () => {
    expect(catalogueWarnings(40)).toEqual([]);
    expect(catalogueWarnings(41)).toEqual([expect.stringContaining('41 skills are enabled')]);
  });
});
