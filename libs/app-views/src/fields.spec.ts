import { type Field, fieldsOf, valueOf } from './fields';

const fieldOf = (property: object): Field => {
  const [field] = fieldsOf({ type: 'object', properties: { one: property } });
  if (!field) throw new Error('no field');
  return field;
};

describe('fieldsOf', () => {
  it('returns a field for each property', () => {
    expect(
      fieldsOf({
        properties: { reason: { type: 'string', title: 'Why', description: 'In short', default: 'no' }, sure: {} },
        required: ['reason'],
      }),
    ).toMatchObject([
      { name: 'reason', label: 'Why', description: 'In short', isRequired: true, initial: 'no', kind: 'text' },
      { name: 'sure', label: 'sure', isRequired: false, kind: 'text' },
    ]);
  });

  it.each([
    [{ type: 'boolean' }, { kind: 'boolean' }],
    [{ type: 'integer' }, { kind: 'number', isInteger: true }],
    [{ type: 'number' }, { kind: 'number', isInteger: false }],
    [
      { type: 'string', format: 'date' },
      { kind: 'text', type: 'date', isLong: false },
    ],
    [
      { type: 'string', format: 'toString' },
      { kind: 'text', type: 'text' },
    ],
    [
      { type: 'string', maxLength: 2000 },
      { kind: 'text', isLong: true },
    ],
    [
      { enum: ['a', 'b'], enumNames: ['A'] },
      { kind: 'choice', options: [{ label: 'A' }, { label: 'b' }] },
    ],
    [{ oneOf: [{ const: 'x', title: 'X' }] }, { kind: 'choice', options: [{ value: 'x', label: 'X' }] }],
  ])('understands %j', (property, field) => expect(fieldOf(property)).toMatchObject(field));

  it('has none for a question without a schema', () => expect(fieldsOf({})).toEqual([]));
});

describe('valueOf', () => {
  it.each([
    [{ type: 'string' }, 'yes', 'yes'],
    [{ type: 'string' }, '', undefined],
    [{ type: 'boolean' }, true, true],
    [{ type: 'boolean' }, false, false],
    [{ type: 'integer' }, '3', 3],
    [{ enum: [10, 20] }, '1', 20],
    [{ enum: [10, 20] }, '', undefined],
    [{ type: 'string', format: 'date-time' }, '2026-01-02T03:04:05.000Z', '2026-01-02T03:04:05.000Z'],
    [{ type: 'string', format: 'date-time' }, '20271-01-02T03:04', '20271-01-02T03:04'],
  ])('of %j with %j is %j', (property, entered, value) => expect(valueOf(fieldOf(property), entered)).toEqual(value));
});
