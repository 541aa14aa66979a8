import { differenceOf } from './passage-difference.rules.js';

const passage = (content: string, ...headings: string[]) => ({ headings, content, start: 0, lead: '' });
const rows = (...contents: string[]) =>
  contents.map((content, position) => ({ id: position + 1, position, headings: '[]', content, start: 0, lead: '' }));

describe('the difference of passages', () => {
  it('keeps unchanged passages, even when they move', () => {
    const difference = differenceOf(
      rows('a', 'b', 'c'),
      ['new', 'a', 'c'].map((content) => passage(content)),
    );
    expect(difference).toEqual({
      added: [{ ...passage('new'), position: 0 }],
      moved: [{ id: 1, position: 1, start: 0 }],
      removed: [2],
    });
  });

  it('keeps as many equal passages as the new document has', () => {
    expect(differenceOf(rows('a', 'a'), [passage('a'), passage('a'), passage('a')])).toEqual({
      added: [{ ...passage('a'), position: 2 }],
      moved: [],
      removed: [],
    });
  });

  it.each([
    ['under other headings', passage('a', 'Heading')],
    ['that continues something', { ...passage('a'), lead: '| Name |' }],
  ])('treats a passage %s as a new one', (_what, changed) => {
    const { added, removed } = differenceOf(rows('a'), [changed]);
    expect([added.length, removed]).toEqual([1, [1]]);
  });

  it('notes that an unchanged passage starts somewhere else', () => {
    const difference = differenceOf(rows('a'), [{ ...passage('a'), start: 7 }]);
    expect(difference).toEqual({ added: [], moved: [{ id: 1, position: 0, start: 7 }], removed: [] });
  });
});
