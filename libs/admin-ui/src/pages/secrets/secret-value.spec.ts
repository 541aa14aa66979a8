import { EMPTY_SECRET, isEmpty, valueOf } from './secret-value';

describe('the value of a secret', () => {
  it('is a text when there is one part without a name', () => {
    expect(valueOf([{ name: '', value: ' s3cret ' }])).toEqual({ value: ' s3cret ' });
  });

  it('is an object when its parts have names', () => {
    const draft = [
      { name: 'username', value: 'ada' },
      { name: 'password', value: 's3cret' },
    ];
    expect(valueOf(draft)).toEqual({ value: { username: 'ada', password: 's3cret' } });
    expect(valueOf(draft.slice(0, 1))).toEqual({ value: { username: 'ada' } });
  });

  it('is not entered as long as no part has a name or a value', () => {
    expect(isEmpty(EMPTY_SECRET)).toBe(true);
    expect(isEmpty([{ name: 'username', value: '' }])).toBe(false);
    expect(isEmpty([...EMPTY_SECRET, { name: '', value: 'x' }])).toBe(false);
  });

  it.each([
    ['Enter a value.', EMPTY_SECRET],
    [
      'Give each part a name.',
      [
        { name: 'a', value: '1' },
        { name: '', value: '2' },
      ],
    ],
    ['Give each part a value.', [{ name: 'a', value: '' }]],
    [
      'Give each part a different name.',
      [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ],
    ],
  ])('is missing something: %s', (problem, draft) => {
    expect(valueOf(draft)).toEqual({ problem });
  });
});
