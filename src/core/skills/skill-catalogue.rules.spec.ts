import { catalogueWarnings, skillWarnings } from './skill-catalogue.rules.js';

type Skill = Parameters<typeof skillWarnings>[0];

const good: Skill = {
  name: 'forecast',
  description: 'Use it to know the weather.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
};

const marked = (header: string) => ({ type: 'string', 'x-mcp-header': header });

describe('skillWarnings', () => {
  it('gives no warnings about a good skill', () => {
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
    ['x-mcp-header', { inputSchema: { properties: { a: { type: 'number', 'x-mcp-header': 'A' } } } }],
    ['x-mcp-header', { inputSchema: { properties: { a: { type: 'string', 'x-mcp-header': 'Two words' } } } }],
    ['x-mcp-header', { inputSchema: { properties: { a: { type: 'string', 'x-mcp-header': 7 } } } }],
    ['x-mcp-header', { inputSchema: { properties: { a: { items: { type: 'string', 'x-mcp-header': 'A' } } } } }],
    ['x-mcp-header', { inputSchema: { properties: {}, 'x-mcp-header': 'A' } }],
    [
      'x-mcp-header',
      { inputSchema: { properties: { a: marked('Region'), b: { properties: { c: marked('region') } } } } },
    ],
    ['no annotations', { annotations: {} }],
  ])('warns: %s', (warning, change) => {
    expect(skillWarnings({ ...good, ...change })).toEqual([expect.stringContaining(warning)]);
  });

  it('takes headers of properties at any depth, and a property with the name of the mark', () => {
    const properties = { a: marked('Region'), b: { properties: { c: marked('City') } }, 'x-mcp-header': {} };
    expect(skillWarnings({ ...good, inputSchema: { properties } })).toEqual([]);
  });

  it('does not treat a property named $ref as a reference', () => {
    expect(skillWarnings({ ...good, inputSchema: { properties: { $ref: { type: 'string' } } } })).toEqual([]);
  });
});

describe('catalogueWarnings', () => {
  it('warns when more than 40 skills are enabled', () => {
    expect(catalogueWarnings(40)).toEqual([]);
    expect(catalogueWarnings(41)).toEqual([expect.stringContaining('41 skills are enabled')]);
  });
});
