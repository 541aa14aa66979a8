import { messageOf } from './problem-message';

describe('messageOf', () => {
  it.each([
    ['required', {}, 'Fill this in.'],
    ['type', { type: 'integer' }, 'Enter a whole number.'],
    ['type', { type: ['string', 'null'] }, 'Enter a text.'],
    ['minimum', { type: 'integer', minimum: 1, maximum: 100 }, 'Enter a whole number from 1 to 100.'],
    ['exclusiveMinimum', { type: 'number', exclusiveMinimum: 0 }, 'Enter a number above 0.'],
    ['maxLength', { maxLength: 1 }, 'Enter at most 1 character.'],
    ['minItems', { minItems: 2 }, 'Enter at least 2 entries.'],
    ['enum', { enum: ['a', 1] }, 'Choose one of a, 1.'],
    ['format', { format: 'date' }, 'Enter a date, such as 2026-11-21.'],
    ['format', { format: 'sku' }, 'Enter a text of the format sku.'],
    [
      'pattern',
      { pattern: '^a', description: 'Begins with a.' },
      'This does not have the required form: Begins with a.',
    ],
    ['anyOf', { anyOf: [{ type: 'number' }, { type: 'boolean' }] }, 'Enter a number, such as 1.5, or true or false.'],
    ['oneOf', { oneOf: [{ format: 'date' }, {}] }, 'This matches none of the allowed forms.'],
    ['contains', {}, 'said by the validator'],
  ])('says what %s in %j asks for', (keyword, schema, message) => {
    expect(messageOf({ keyword, schema, fallback: 'said by the validator' })).toBe(message);
  });
});
