import { passagesOf } from './passages.rules.js';

describe('passagesOf', () => {
  it('splits a document at its headings, and keeps the path of headings', () => {
    const markdown = 'intro\n\n# A\n\none\n\n## B `code`\n\ntwo\n\n### [C](http://x)\n\nthree\n\n## D ##\n\nfour';
    expect(passagesOf(markdown)).toEqual([
      { headings: [], content: 'intro' },
      { headings: ['A'], content: 'one' },
      { headings: ['A', 'B code'], content: 'two' },
      { headings: ['A', 'B code', 'C'], content: 'three' },
      { headings: ['A', 'D'], content: 'four' },
    ]);
  });

  it('treats a long line as text, even when it begins with a #', () => {
    const line = `# ${'word '.repeat(100)}end`;
    expect(passagesOf(`# A\n\n${line}`)).toEqual([{ headings: ['A'], content: line }]);
  });

  it('limits the number of passages, and loses no text after too many headings', () => {
    const passages = passagesOf(Array.from({ length: 20_000 }, (_, n) => `# Part ${n}`).join('\n'));
    expect(passages.length).toBeLessThan(6_000);
    expect(passages.at(-1)?.content).toMatch(/# Part 19999$/);
  });

  it('finds no heading in a block of code', () => {
    const markdown = '# A\n\n```sh\n# not a heading\n```\n\n~~~\n# neither\n~~~';
    expect(passagesOf(markdown).map(({ headings }) => headings)).toEqual([['A']]);
  });

  it('joins short paragraphs and cuts long ones, without losing text', () => {
    const paragraphs = [
      'short',
      'also short',
      'A sentence that goes on. '.repeat(120),
      'x'.repeat(3_000),
      '漢字。'.repeat(1_000),
    ];
    const passages = passagesOf(paragraphs.join('\n\n'));
    expect(passages.every(({ content }) => content.length <= 1_200)).toBe(true);
    expect(passages[0]?.content).toMatch(/^short\n\nalso short/);
    const withoutSpace = (text: string) => text.replace(/\s/g, '');
    expect(withoutSpace(passages.map(({ content }) => content).join(''))).toBe(withoutSpace(paragraphs.join('')));
  });

  it('never cuts a character in two', () => {
    const passages = passagesOf(`x${'😀'.repeat(2_000)}`);
    expect(passages.every(({ content }) => content.isWellFormed())).toBe(true);
  });

  it.each(['', '\n\n', '   '])('returns one passage for a blank document: %j', (markdown) => {
    expect(passagesOf(markdown)).toHaveLength(1);
  });

  it('keeps a heading with nothing under it', () => {
    expect(passagesOf('# Only a title').map(({ headings }) => headings)).toEqual([['Only a title']]);
  });
});
