import { charactersOf, linesOf, MOST_CHARACTERS, parseRange } from './text-part.rules.js';

describe('a range', () => {
  it.each<[string, [number, number] | null]>([
    ['40-80', [40, 80]],
    [' 40 - 80 ', [40, 80]],
    ['40:80', [40, 80]],
    ['40', [40, 40]],
    ['40-', [40, Infinity]],
    ['0-5', [1, 5]],
    ['5-4', null],
    ['-5', null],
    ['a-b', null],
    ['1.5-2', null],
    ['1234567890', null],
    ['', null],
  ])('%j is %j', (written, range) => {
    expect(parseRange(written)).toEqual(range && { from: range[0], to: range[1] });
  });
});

describe('lines', () => {
  const text = '  one\ntwo\n\nfour\n';

  it('are unchanged, and say how to read on', () => {
    expect(linesOf(text, { from: 1, to: 2 })).toEqual({
      text: '  one\ntwo',
      note: 'Lines 1 to 2 of 5. Read on with lines "3-4".',
    });
    expect(linesOf(text, { from: 3, to: 99 })).toEqual({ text: '\nfour\n', note: 'Lines 3 to 5 of 5.' });
    expect(linesOf(text, { from: 6, to: 9 })).toBeNull();
  });

  it('are cut when they are too many for one answer, and even one line is', () => {
    const line = 'x'.repeat(MOST_CHARACTERS - 10);
    expect(linesOf(`a\n${line}\nyyyyyyyyyyyyyyy\nz`, { from: 2, to: 4 })).toEqual({
      text: line,
      note: 'Lines 2 to 2 of 4. Read on with lines "3-3".',
    });
    const long = linesOf(`a\n${line}${line}\nz`, { from: 2, to: 3 });
    expect(long?.text).toBe('x'.repeat(MOST_CHARACTERS));
    expect(long?.note).toMatch(/^Characters 3 to 200002 of \d+\. Read on with characters "200003-399984"\.$/);
  });
});

describe('characters', () => {
  it('say how to read on', () => {
    expect(charactersOf('abcdef', { from: 2, to: 3 })).toEqual({
      text: 'bc',
      note: 'Characters 2 to 3 of 6. Read on with characters "4-5".',
    });
    expect(charactersOf('abcdef', { from: 4, to: Infinity })).toEqual({ text: 'def', note: 'Characters 4 to 6 of 6.' });
    expect(charactersOf('abcdef', { from: 7, to: 9 })).toBeNull();
    expect(charactersOf('', { from: 1, to: 9 })).toEqual({ text: '', note: 'Characters 1 to 0 of 0.' });
  });

  it('are never halves of one', () => {
    expect(charactersOf('a😀b', { from: 3, to: 4 })?.text).toBe('😀b');
    expect(charactersOf('a😀b', { from: 1, to: 2 })?.text).toBe('a😀');
  });

  it('are at most as many as one answer holds', () => {
    expect(charactersOf('x'.repeat(MOST_CHARACTERS + 5), { from: 2, to: Infinity })?.text).toHaveLength(
      MOST_CHARACTERS,
    );
  });
});
