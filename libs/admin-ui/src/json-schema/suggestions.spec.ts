import { keysAt, valuesAt } from './suggestions';

const task = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties: { if: { type: 'string' }, ...properties },
  required: Object.keys(properties).slice(0, 1),
  additionalProperties: false,
});
const SCHEMA = {
  type: 'object',
  properties: {
    document: {
      type: 'object',
      properties: {
        dsl: { type: 'string', enum: ['1.0.0', '1.0.3'] },
        name: { type: 'string', description: 'The name of the tool.' },
      },
      required: ['dsl', 'name'],
    },
    do: { $ref: '#/$defs/tasks' },
  },
  $defs: {
    tasks: { type: 'array', items: { type: 'object', additionalProperties: { $ref: '#/$defs/task' } } },
    task: {
      oneOf: [
        task({ call: { type: 'string' }, with: { type: 'object' } }),
        task({ fork: { type: 'object', properties: { compete: { type: 'boolean' } } } }),
        task({ do: { $ref: '#/$defs/tasks' } }),
      ],
    },
  },
};
const labels = (suggestions: readonly { label: string }[]) => suggestions.map(({ label }) => label);

describe('keysAt', () => {
  it('returns the keys of an object, with what they mean', () => {
    expect(keysAt(SCHEMA, ['document'], ['dsl'])).toEqual([
      { label: 'name', description: 'The name of the tool.', isRequired: true, isNested: false },
    ]);
  });

  it('says which values begin on the next line', () => {
    expect(keysAt(SCHEMA, [], []).map(({ label, isNested }) => [label, isNested])).toEqual([
      ['document', true],
      ['do', true],
    ]);
  });

  it('follows references, lists and names that are free', () => {
    expect(labels(keysAt(SCHEMA, ['do', 3, 'anything'], []))).toEqual(['if', 'call', 'with', 'fork', 'do']);
    expect(labels(keysAt(SCHEMA, ['do', 0, 'a', 'do', 1, 'b', 'fork'], []))).toEqual(['compete']);
  });

  it('leaves out what does not go with the keys that are there', () => {
    expect(labels(keysAt(SCHEMA, ['do', 0, 'a'], ['call']))).toEqual(['if', 'with']);
    expect(labels(keysAt(SCHEMA, ['do', 0, 'a'], ['call', 'misspelt']))).toEqual(['if', 'with']);
  });

  it('suggests nothing for places that the schema does not have', () => {
    expect(keysAt(SCHEMA, ['document', 'name', 'x'], [])).toEqual([]);
    expect(keysAt({ $ref: '#' }, ['toString'], [])).toEqual([]);
  });
});

describe('with a choice', () => {
  const call = (name: string, required: string[], keys: string[]) =>
    task({
      call: { const: name, description: `About ${name}.` },
      with: { type: 'object', required, properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])) },
    });
  const root = {
    ...SCHEMA,
    $defs: {
      ...SCHEMA.$defs,
      task: {
        anyOf: [
          ...SCHEMA.$defs.task.oneOf,
          call('http', ['method'], ['method', 'endpoint']),
          call('save', ['key'], ['key', 'tags']),
        ],
      },
    },
  };
  const save = { below: 'with', key: 'call', value: 'save' };

  it('returns the keys of what is called, required only where it requires them', () => {
    const keys = keysAt(root, ['do', 0, 'a', 'do', 1, 'b', 'with'], [], save);
    expect(keys.map(({ label, isRequired }) => [label, isRequired])).toEqual([
      ['key', true],
      ['tags', false],
    ]);
    expect(keysAt(root, ['do', 0, 'a', 'with'], [], { ...save, value: 'mine' })).toEqual([]);
  });

  it('returns everything that can be called, with what it does', () => {
    const values = valuesAt(root, ['do', 0, 'a', 'call']);
    expect(values.map(({ label, description }) => [label, description])).toEqual([
      ['http', 'About http.'],
      ['save', 'About save.'],
    ]);
  });

  it('calls no key required that only some of the choices require', () => {
    expect(keysAt(root, ['do', 0, 'a'], []).filter(({ isRequired }) => isRequired)).toEqual([]);
  });
});

describe('valuesAt', () => {
  it('returns the values of choices and booleans', () => {
    expect(labels(valuesAt(SCHEMA, ['document', 'dsl']))).toEqual(['1.0.0', '1.0.3']);
    expect(labels(valuesAt(SCHEMA, ['do', 0, 'a', 'fork', 'compete']))).toEqual(['true', 'false']);
    expect(valuesAt(SCHEMA, ['document', 'name'])).toEqual([]);
  });
});
