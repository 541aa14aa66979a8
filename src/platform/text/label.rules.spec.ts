import { labelOf } from './label.rules.js';
import { wordsOf } from './words.rules.js';

describe('a label', () => {
  it('is another one for each name and each kind', () => {
    const labels = [labelOf('tag', 'a'), labelOf('tag', 'b'), labelOf('namespace', 'a'), labelOf('tag', 'A')];
    expect(new Set(labels).size).toBe(4);
    expect(labelOf('tag', 'a')).toBe(labels[0]);
  });

  it('is never a word of a text, not even of one that quotes it', () => {
    const label = labelOf('tag', 'deployment');
    expect(wordsOf(`the label ${label}`).map(({ text }) => text)).not.toContain(label);
  });
});
