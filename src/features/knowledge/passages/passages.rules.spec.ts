import { readdirSync, readFileSync } from 'node:fs';
import { choicesOf, Random } from '../../../../test/fuzz/random.js';
import { blocksOf } from '../../../platform/markdown/blocks.rules.js';
import { indexedDocumentOf, passagesOf, plainPassagesOf } from './passages.rules.js';

/** Too long to share a passage with anything below another heading. */
const LONG = 'text '.repeat(165).trim();
const short = (markdown: string) =>
  passagesOf(markdown).map(({ headings, content }) => [headings.join(' > '), content]);
/** The passages of a document in which each `text` is long. */
const long = (markdown: string) =>
  short(markdown.replaceAll('text', LONG)).map(([path, content]) => [path, content?.replaceAll(LONG, 'text')]);
const numbered = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n));
const withoutSpace = (text: string) => text.replace(/\s/g, '');

describe('passages', () => {
  it('begin at headings, and keep the path of headings', () => {
    const markdown = '1 text\n\n# A\n\n2 text\n\n## B `code`\n\n3\n\n### [C](http://x)\n\n4 text\n\nD\n---\n\n5';
    expect(long(markdown)).toEqual([
      ['', '1 text'],
      ['A', '2 text'],
      ['A > B code', '3'],
      ['A > B code > C', '4 text'],
      ['A > D', '5'],
    ]);
  });

  it('know where they start', () => {
    const markdown = `intro\n\n# A\n\n\n    indented\n\n## B\n\n${LONG}`;
    expect(passagesOf(markdown).map(({ start, content }) => markdown.indexOf(content) === start)).toEqual([
      true,
      true,
      true,
    ]);
    expect(passagesOf(markdown)[1]?.content).toBe('    indented');
  });

  it.each([
    ['in a fence', '# A\n\n```sh\n# no\n```\n\n~~~\n# no\n~~~\n\ntext', ['A']],
    ['in a fence that closes with more marks than it opens', '# A\n\n```\n# no\n`````\n\n## B\n\ntext', ['A', 'A > B']],
    ['in a fence that fewer marks do not close', '# A\n\n````\n```\n# no\n````\n\n## B\n\ntext', ['A', 'A > B']],
    ['in a fence of a list', '# A\n\n- item\n\n  ```\n  # no\n  ```\n\n## B\n\ntext', ['A', 'A > B']],
    ['in a comment', '# A\n\n<!--\n# no\n\n## no\n-->\n\n## B\n\ntext', ['A', 'A > B']],
    ['in a quote or a list', '# A\n\n> # no\n\n- # no\n\n## B\n\ntext', ['A', 'A > B']],
    ['in front matter', '---\ntitle: x\n# no\n---\n\n# A\n\ntext', ['', 'A']],
    ['where a dash underlines nothing', '# A\n\n---\n\ntext\n\n---\n', ['A']],
  ])('find no heading %s', (_what, markdown, headings) => {
    expect(long(markdown).map(([path]) => path)).toEqual(headings);
  });

  it('keep short documents and sections together, with the headings in them', () => {
    const [notes, faq] = ['intro\n\n# A\n\n1\n\n## B\n\n2\n\n# C', '# FAQ\n\nAsk.\n\n## A?\n\nYes.\n\n## B?\n\nNo.'];
    expect(short(notes)).toEqual([['', notes]]);
    expect(short(faq)).toEqual([['FAQ', faq.slice('# FAQ\n\n'.length)]]);
    expect(
      long(`${faq}\n\n# Use\n\n## First\n\n### Install\n\n1\n\n### Start\n\n2\n\n## Then\n\ntext\n\n## Last`),
    ).toEqual([
      ['FAQ', faq.slice('# FAQ\n\n'.length)],
      ['Use > First', '### Install\n\n1\n\n### Start\n\n2'],
      ['Use > Then', 'text'],
      ['Use > Last', ''],
    ]);
    const details = '<details><summary>A?</summary>\n\nYes.\n\n</details>';
    expect(short(`# FAQ\n\n${details}\n\nMore.`)).toEqual([['FAQ', `${details}\n\nMore.`]]);
  });

  it('begin with the first heading of what they keep together', () => {
    const markdown = '# A\n\n## B\n\n### C\n\n1\n\n# D\n\n2';
    expect(short(markdown)).toEqual([['', markdown]]);
    // Two headings with the same text remain two.
    const twice = '## A\n\n1\n\n## A\n\n2';
    expect(short(twice)).toEqual([['', twice]]);
  });

  it('keep at most 800 characters together', () => {
    const of = (characters: number) => `## A\n\n${'x'.repeat(characters - 15)}\n\n## B\n\ny`;
    expect(of(800)).toHaveLength(800);
    expect(short(of(800))).toHaveLength(1);
    expect(short(of(801))).toHaveLength(2);
  });

  it('treat a long line as text, even when it begins with a #', () => {
    const line = `# ${'word '.repeat(100)}end`;
    expect(short(`# A\n\n${line}`)).toEqual([['A', line]]);
  });

  it('are limited in number, and no text after too many headings is lost', () => {
    const passages = passagesOf(numbered(20_000, (n) => `# Part ${n}`).join('\n'));
    expect(passages.length).toBeLessThan(6_000);
    expect(passages.at(-1)?.content).toMatch(/# Part 19999$/);
  });

  it('have whole blocks of code, with what introduces them', () => {
    const code = `\`\`\`ts\n${numbered(75, (n) => `  call(${n});${n % 7 === 0 ? '\n' : ''}`).join('\n')}\n\`\`\``;
    const text = 'A sentence that goes on. '.repeat(40).trim();
    const passages = passagesOf(`${text}\n\nDo this:\n\n${code}\n\n${text}`);
    expect(passages.map(({ content }) => content)).toEqual([text, `Do this:\n\n${code}`, text]);
  });

  it('cut a long table between its rows, and keep its head beside each part', () => {
    const rows = numbered(200, (n) => `| option${n} | what option ${n} does |`);
    const table = ['| Option | Meaning |', '| --- | --- |', ...rows];
    const passages = passagesOf(`# Options\n\n${table.join('\n')}`);
    expect(passages.flatMap(({ content }) => content.split('\n'))).toEqual(table);
    expect(passages.length).toBeLessThan(9);
    expect(passages.map(({ lead }) => lead)).toEqual(['', ...passages.slice(1).map(() => '| Option | Meaning |')]);
    const indexed = indexedDocumentOf({ title: 'T', tags: ['tag'], content: table.join('\n') });
    const [, second] = indexed.passages;
    expect(second?.words.context.split(' ')).toEqual(expect.arrayContaining(['option', 'mean', 'tag']));
    expect(second?.words.body).not.toContain('mean');
  });

  it('cut a long list between its items, and long code at its blank lines', () => {
    const items = numbered(60, (n) => `- item ${n}\n\n      code of ${n}\n  and more`);
    const list = passagesOf(`The steps:\n\n${items.join('\n')}`);
    expect(list[0]?.content).toMatch(/^The steps:\n\n- item 0\n/);
    expect(
      list.slice(1).every(({ content, lead }) => /^- item \d+\n\n {6}code/.test(content) && lead === 'The steps:'),
    ).toBe(true);
    const parts = numbered(60, (n) => `def f${n}():\n    return ${n}\n\n`);
    const code = passagesOf(`\`\`\`py\n${parts.join('\n')}\n\`\`\``);
    expect(code.length).toBeGreaterThan(1);
    expect(code.slice(1).every(({ content }) => content.startsWith('def '))).toBe(true);
  });

  it('begin where details begin, under their summary, and where they end', () => {
    const details = [
      '<details><summary>Is it <code>A</code>?</summary><br>\n\nYes.\n\n</details>',
      '<details>\n<summary>B?</summary>\n\nNo.\n\n</details>',
    ].join('\n');
    expect(long(`# FAQ\n\ntext\n\n${details}\n\nMore.\n\n## End`)).toEqual([
      ['FAQ', 'text'],
      ['FAQ > Is it A?', '<details><summary>Is it <code>A</code>?</summary><br>\n\nYes.'],
      ['FAQ > B?', '</details>\n<details>\n<summary>B?</summary>\n\nNo.\n\n</details>'],
      ['FAQ', 'More.'],
      ['FAQ > End', ''],
    ]);
    expect(long('<details>\n\n# A\n\ntext\n\n</details>')).toEqual([
      ['', '<details>'],
      ['A', 'text\n\n</details>'],
    ]);
  });

  it('are not found by the words of a table of contents', () => {
    const content =
      '# A\n\nIntro.\n\n- [Install](#install)\n  1. [From npm](#npm)\n- [Use](#use) it\n- [Web](https://x.example/)';
    const [passage] = indexedDocumentOf({ title: 'T', tags: [], content }).passages;
    expect(passage?.content).toBe(content.slice(5));
    expect(passage?.words.body).toMatch(/^intro use use it web /);
  });

  it('leave out lines that only divide', () => {
    expect(long('# A\n\n---\n\ntext\n\n***\n\n# B\n\n---\n\n# C')).toEqual([
      ['A', 'text'],
      ['B', ''],
      ['C', ''],
    ]);
  });

  it('keep the definitions of links, and a heading with nothing under it', () => {
    expect(short('# Only a title')).toEqual([['Only a title', '']]);
    expect(short('# A\n\n[x]: https://x.example/')).toEqual([['A', '[x]: https://x.example/']]);
  });

  it('cut long paragraphs at sentences, and never a character', () => {
    const passages = passagesOf(
      ['A sentence that goes on. '.repeat(120), `x${'😀'.repeat(2_000)}`, '漢字。'.repeat(1_000)].join('\n\n'),
    );
    expect(passages[0]?.content).toMatch(/goes on\.$/);
    expect(passages.every(({ content }) => content.isWellFormed())).toBe(true);
  });

  it.each(['', '\n\n', '   '])('are at least one: %j', (markdown) => {
    expect(short(markdown)).toEqual([['', '']]);
    expect(plainPassagesOf(markdown)).toHaveLength(1);
  });

  it('of plain text have no headings', () => {
    expect(plainPassagesOf('# A\n\n```\n\ntext')).toEqual([
      { headings: [], content: '# A\n\n```\n\ntext', start: 0, lead: '' },
    ]);
  });
});

const pages = ['.', 'docs', 'docs/adr', 'test/relevance/held-out'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
);
const LINES = [
  '# A',
  '## B',
  'text',
  '',
  '',
  '```',
  '````',
  '- a',
  '  - b',
  '1. c',
  '> q',
  '|a|b|',
  '|-|-|',
  '===',
  '---',
];
const MORE = [
  '    code',
  '<!--',
  '-->',
  '[x]: /y',
  '<div>',
  '\t',
  'long text. '.repeat(200),
  '😀'.repeat(900),
  'a\rb',
  '* ',
];
const random = new Random(3);
const lineOf = choicesOf(4);
const mixed = Array.from({ length: 1_500 }, () =>
  Array.from({ length: random.integer(1, 40) }, () => lineOf([...LINES, ...MORE])).join('\n'),
);

describe.each([
  ['pages and notes', pages],
  ['mixed lines', mixed],
])('passages of %s', (_what, texts) => {
  it.each([
    ['Markdown', passagesOf],
    ['plain text', plainPassagesOf],
  ])('read as %s are parts of the text, in its order, short enough, and lose nothing but headings', (_as, split) => {
    for (const text of texts) {
      let [end, rest] = [0, ''];
      for (const { start, content } of split(text)) {
        expect(start).toBeGreaterThanOrEqual(end);
        rest += text.slice(end, start) + content.replace(/[^\n]/g, ' ');
        end = start + content.length;
        expect(text.slice(start, end)).toBe(content);
        expect(content.length).toBeLessThanOrEqual(1_500);
        expect(content.isWellFormed()).toBe(true);
      }
      const { lines, blocks } = blocksOf(text);
      const left = (rest + text.slice(end)).split('\n');
      for (const { kind, from, to } of split === passagesOf ? blocks : []) {
        if (kind === 'heading' || kind === 'rule') left.fill('', from, to);
      }
      expect(left.map(withoutSpace).join('')).toBe('');
      expect(left).toHaveLength(lines.length);
    }
  });
});
