import { linkProblems } from './package-links.rules.js';

const FILES = ['SKILL.md', 'references/STYLE.md', 'a b.md', 'scripts/deep/run.py'].map((path) => ({ path }));
const told = (text: string) => linkProblems(text, FILES).map(({ line, message }) => `${line} ${message}`);

describe('linkProblems', () => {
  it.each([
    'See [the style](references/STYLE.md), [again](./references/STYLE.md#tone) and [more](scripts/../SKILL.md "me").',
    'A folder: [scripts](scripts/), [deep](scripts/deep).',
    '![picture](<a b.md>) and [the same](a%20b.md)',
    '[style]: references/STYLE.md',
    '[a site](https://example.com/x.md), [mail](mailto:a@example.com), [here](#steps), [root](/docs/x.md), [none]()',
    'Write `[text](target.md)`, as in\n\n```md\n[text](target.md)\n```\n\n~~~\n```\n[text](target.md)\n~~~\n',
    'An array: a[0](b) is code, but (c) alone is not, and [d] neither.'.replace('a[0](b)', '`a[0](b)`'),
  ])('says nothing about %j', (text) => expect(told(text)).toEqual([]));

  it('says the line of each link to a file that is not there, once', () => {
    expect(
      told('---\nname: a\n---\n[a](x.md) [b](references/style.md)\n[c](x.md)\n```\ncode\n```\n![d](<no pe.png>)'),
    ).toEqual([
      '4 the link "x.md" leads to no file of the package: add the file, or correct the path',
      '4 the link "references/style.md" leads to no file of the package: add the file, or correct the path',
      '9 the link "no pe.png" leads to no file of the package: add the file, or correct the path',
    ]);
  });

  it('says what leads out of the package', () =>
    expect(told('[up](scripts/../../x.md)')).toEqual([
      '1 the link "scripts/../../x.md" leads out of the package: clients get only the files in it',
    ]));

  it('says not more than helps', () =>
    expect(told(Array.from({ length: 50 }, (_, at) => `[a](${at}.md)`).join(' '))).toHaveLength(20));
});
