import { normalForm } from './normal-form.rules.js';

const MARKS = '\u0301\u0323';

describe('normalForm', () => {
  it.each([
    ['NFKC', 'ｅ\u0301', 'é'],
    ['NFKD', 'é', 'e\u0301'],
    ['NFKC', 'ﾊﾞ', 'バ'],
  ] as const)('is %s', (form, text, expected) => {
    expect(normalForm(text, form)).toBe(expected);
  });

  it('keeps the first 30 marks in a row, and no more', () => {
    const marks = (count: number) => normalForm(`a${MARKS.repeat(count / 2)}b`, 'NFKD').length - 2;
    expect([2, 30, 32, 1_000].map(marks)).toEqual([2, 30, 30, 30]);
  });

  it('never cuts a character in two', () => {
    expect(normalForm(`\u0301${'\u{1e8d0}'.repeat(40)}`, 'NFKD').isWellFormed()).toBe(true);
  });

  it('treats every letter that normalises to a mark as a mark', () => {
    const isMark = /^\p{M}+$/u;
    const letters = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((letter) => !isMark.test(letter) && isMark.test(letter.normalize('NFKD')));
    expect(letters).toEqual(['\uff9e', '\uff9f']);
  });
});
