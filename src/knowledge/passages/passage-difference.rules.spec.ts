import { differenceOf } from './passage-difference.rules.js';

const passage = (content: string, ...headings: string[]) => ({ headings, content });
const rows = (...contents: string[]) =>
  contents.map((content, position) => ({ id: position + 1, position, headings: '[]', content }));

describe('the difference of passages', () => {
  it('keeps unchanged passages, even when they move', () => {
    const difference = differenceOf(
      rows('a', 'b', 'c'),
      ['new', 'a', 'c'].map((content) => passage(content)),
    );
    expect(difference).toEqual({
      added: [{ headings: [], content: 'new', position: 0 }],
      moved: [{ id: 1, position: 1 }],
      removed: [2],
    });
  });

  it('keeps as many equal passages as the new document has', () => {
    expect(differenceOf(rows('a', 'a'), [passage('a'), passage('a'), passage('a')])).toEqual({
      added: [{ headings: [], content: 'a', position: 2 }],
      moved: [],
      removed: [],
    });
  });

  it('treats a passage under other headings as a new one', () => {
    const { added, removed } = differenceOf(rows('a'), [passage('a', 'Heading')]);
    expect([added.length, removed]).toEqual([1, [1]]);
  });
});
