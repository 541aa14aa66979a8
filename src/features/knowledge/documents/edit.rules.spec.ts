import { edited, type TextEdit } from './edit.rules.js';

const NOTHING: TextEdit = { passage: null, oldText: null, newText: null, append: null };
const change = (content: string, edit: Partial<TextEdit>) => edited(content, { ...NOTHING, ...edit });

describe('edited', () => {
  it.each([
    ['replaces a text', 'a $1 b', { oldText: '$1', newText: '$& two' }, 'a $& two b'],
    ['removes a text', 'a b c', { oldText: ' b', newText: '' }, 'a c'],
    ['takes any line break', 'a\nb\nc', { oldText: 'a\r\nb', newText: 'x\r\ny' }, 'x\ny\nc'],
    ['adds on a new line', 'a', { append: '- b' }, 'a\n- b'],
    ['adds no empty line', 'a\n', { append: 'b\n' }, 'a\nb\n'],
    ['replaces and adds', 'a', { oldText: 'a', newText: 'b', append: 'c' }, 'b\nc'],
    ['replaces a passage', 'a\n\nb\n\na', { passage: { content: 'a', start: 6 }, newText: 'c' }, 'a\n\nb\n\nc'],
    [
      'replaces a text of a passage',
      'on Monday\n\nand on Monday',
      { passage: { content: 'and on Monday', start: 11 }, oldText: 'Monday', newText: 'Friday' },
      'on Monday\n\nand on Friday',
    ],
    [
      'adds to a passage, and not behind what follows it',
      '- a\n\n# B\n\nb',
      { passage: { content: '- a', start: 0 }, append: '- c' },
      '- a\n- c\n\n# B\n\nb',
    ],
    [
      'replaces a passage and adds to it',
      'a\n\nb\n\nc',
      { passage: { content: 'b', start: 3 }, newText: 'd', append: 'e' },
      'a\n\nd\ne\n\nc',
    ],
  ] as [string, string, Partial<TextEdit>, string][])('%s', (_what, content, edit, expected) => {
    expect(change(content, edit)).toBe(expected);
  });

  it.each([
    ['nothing', 'a', {}, 'nothing to do'],
    ['a text that is not there', 'a  b', { oldText: 'a b', newText: 'c' }, 'does not occur in the document'],
    ['a text that is there twice', 'aba', { oldText: 'a', newText: 'c' }, 'several times in the document'],
    ['a text that overlaps itself', 'aaa', { oldText: 'aa', newText: 'c' }, 'several times'],
    ['no text to put there', 'a', { oldText: 'a' }, 'new_text is missing'],
    ['no text to replace', 'a', { newText: 'a' }, 'old_text or passage_uri is missing'],
    [
      'a text that is elsewhere',
      'a\n\nb',
      { passage: { content: 'b', start: 3 }, oldText: 'a', newText: 'c' },
      'does not occur in the passage',
    ],
    [
      'a passage that has changed, even to add to it',
      'ab',
      { passage: { content: 'a', start: 1 }, append: 'c' },
      'has changed',
    ],
    ['a passage that has changed', 'ab', { passage: { content: 'a', start: 1 }, newText: 'c' }, 'has changed'],
  ] as [string, string, Partial<TextEdit>, string][])('refuses %s', (_what, content, edit, message) => {
    expect(() => change(content, edit)).toThrow(message);
  });
});
