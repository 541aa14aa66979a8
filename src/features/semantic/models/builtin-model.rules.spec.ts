import { isReadable, READ_CHARACTERS, readPart } from './builtin-model.rules.js';

describe('a text that the built-in model knows the script of', () => {
  it.each([
    ['how do I roll back?', true],
    ['Wie mache ich das rückgängig?', true],
    ['EADDRINUSE :::5001', true],
    ['192.168.0.1', true],
    ['', true],
    ['有給休暇は何日ありますか', false],
    ['сколько дней отпуска', false],
    ['VPN の設定方法', false],
    ['Kubernetes と Redis を設定する', true],
    ['\ud800', true],
  ])('%j: %s', (text, readable) => {
    expect(isReadable(text)).toBe(readable);
  });

  it('is read from the beginning, and never in the middle of a character', () => {
    expect(readPart('short')).toBe('short');
    const long = readPart('a'.repeat(READ_CHARACTERS - 1) + '😀 and more');
    expect([long.length, long.isWellFormed()]).toEqual([READ_CHARACTERS, true]);
  });
});
