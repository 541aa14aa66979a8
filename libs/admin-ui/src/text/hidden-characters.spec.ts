import { codeOf, splitAtHidden } from './hidden-characters';

it.each([
  ['a\tb\r\nc', ['a\tb\r\nc']],
  ['a\u202Eb', ['a', '\u202E', 'b']],
  ['\u200B\u{E0041}', ['', '\u200B', '', '\u{E0041}', '']],
])('splitAtHidden splits %j', (text, parts) => expect(splitAtHidden(text)).toEqual(parts));

it('codeOf names a character', () => {
  expect(['\0', '\u202E', '\u{E0041}'].map(codeOf)).toEqual(['U+0000', 'U+202E', 'U+E0041']);
});
