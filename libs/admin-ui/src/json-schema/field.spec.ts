import { fieldsOf, isFormEnough, labelsOf } from './field';

const fieldOf = (property: object, required: string[] = []) =>
  fieldsOf({ type: 'object', properties: { x: property }, required })[0];

describe('fieldsOf', () => {
  it.each([
    [{ type: 'string' }, { kind: 'text', isLong: false }],
    [
      { type: 'string', maxLength: 5000 },
      { kind: 'text', isLong: true },
    ],
    [{ type: ['string', 'null'] }, { kind: 'text' }],
    [{ type: 'integer', minimum: 1, maximum: 5 }, { kind: 'number' }],
    [{ type: 'number' }, { kind: 'number' }],
    [{ type: 'boolean' }, { kind: 'boolean', isAlwaysGiven: false }],
    [
      { type: 'boolean', default: false },
      { kind: 'boolean', isAlwaysGiven: true },
    ],
    [
      { type: 'string', maxLength: 5000, format: 'date' },
      { kind: 'text', isLong: false, example: '2026-11-21' },
    ],
    [
      { oneOf: [{ format: 'date' }, { format: 'date-time' }], maxLength: 40 },
      { kind: 'text', example: '2026-11-21 or 2026-11-21T10:15:00Z' },
    ],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, { kind: 'number' }],
    [{ enum: ['a', 1] }, { kind: 'choice', options: ['a', 1] }],
    [
      { type: 'array', items: { type: 'string' } },
      { kind: 'list', entry: 'text' },
    ],
    [
      { type: 'array', items: { type: 'integer' } },
      { kind: 'list', entry: 'number' },
    ],
    [
      { type: 'object', properties: { y: { type: 'string' } } },
      { kind: 'group', fields: [{ name: 'y', kind: 'text' }] },
    ],
  ])('asks for %j', (property, field) => {
    expect(fieldOf(property)).toMatchObject(field);
  });

  it.each([
    {},
    { type: ['string', 'number'] },
    { anyOf: [{ type: 'string' }, { type: 'number' }] },
    { type: 'object' },
    { type: 'array' },
    { type: 'array', items: { type: 'object' } },
    { type: 'object', properties: { y: {} }, oneOf: [] },
  ])('asks for JSON where a form would not do: %j', (property) => {
    expect(fieldOf(property)).toMatchObject({ kind: 'json' });
  });

  it('takes label, description and whether it is required from the schema', () => {
    expect(fieldOf({ type: 'string', title: 'X', description: 'An x.' }, ['x'])).toMatchObject({
      name: 'x',
      label: 'X',
      description: 'An x.',
      isRequired: true,
    });
    expect(fieldOf({ type: 'string' })).toMatchObject({ label: 'x', description: null, isRequired: false });
  });

  it('asks for nothing where nothing is said', () => {
    expect(fieldsOf({ type: 'object' })).toEqual([]);
  });
});

it('isFormEnough says no to alternatives at the root', () => {
  expect([isFormEnough({ properties: {} }), isFormEnough({ anyOf: [] })]).toEqual([true, false]);
});

describe('labelsOf', () => {
  it('names the fields of groups as the form does, and what has no field by its name', () => {
    const street = { type: 'string', title: 'Street and number' };
    const any = { title: 'Anything' };
    const fields = fieldsOf({ properties: { to: { type: 'object', title: 'Address', properties: { street, any } } } });
    expect(labelsOf(['to', 'street'], fields)).toEqual(['Address', 'Street and number']);
    expect(labelsOf(['to', 'any', 'street'], fields)).toEqual(['Address', 'Anything', 'street']);
    expect(labelsOf(['city'], fields)).toEqual(['city']);
  });
});
