import { typeOfPath } from './file-type.rules.js';
import { toDocument } from './imported-file.rules.js';

describe('toDocument', () => {
  it.each([
    ['front matter', '---\ntitle: T\ntags: a, b\n---\n\n# H', { title: 'T', content: '# H', tags: ['a', 'b'] }],
    ['a list of tags', '---\r\ntags: [a, 1]\r\n---\r\ntext', { title: 'my file', content: 'text', tags: ['a', '1'] }],
    ['the first heading', 'text\n\n## `H` two\n', { title: 'H two' }],
    ['the name of the file', 'text', { title: 'my file', content: 'text' }],
    [
      'further fields, which stay to be found',
      '---\ntitle: T\nowner: Ann Lee\nreviewed: 2026-03-01\naka: [x, y]\nempty:\nmore: { a: 1 }\n---\n\n# H',
      { title: 'T', content: '- owner: Ann Lee\n- reviewed: 2026-03-01\n- aka: x, y\n- more: {"a":1}\n\n# H' },
    ],
    ['front matter that is broken', '---\n: [\n---\ntext', { content: '---\n: [\n---\ntext' }],
    ['a rule that is no front matter', '---\njust text\n---\n', { content: '---\njust text\n---\n' }],
  ])('reads Markdown with %s', (_what, content, expected) => {
    expect(toDocument({ path: 'a/my-file.md', content })).toMatchObject(expected);
  });

  it.each([
    ['docs/Hooks.md', 'Tool: Hooks'],
    ['docs/README.md', 'Tool'],
    ['docs/index.md', 'Tool'],
  ])(
    'takes the banner that all pages of a manual have for a part of the title only: %s is called %s',
    (path, title) => {
      const content = '<h1 align="center">Tool</h1>\n\n## Hooks\n\nText';
      expect(toDocument({ path, content })).toMatchObject({ title, content });
    },
  );

  it.each([
    [
      'its first row as the heading',
      '<table><thead><tr><th>Role<th>Euros</tr></thead><tbody><tr><td>Cook | chef<td><p>300</p><p>net</p></table>',
      '| Role | Euros |\n| --- | --- |\n| Cook \\| chef | 300 net |',
    ],
    [
      'short rows filled up, below its caption',
      '<table><caption>Rates</caption><tr><td>a<td>b<tr><td>c</table>after',
      'Rates\n\n| a | b |\n| --- | --- |\n| c |  |\n\nafter',
    ],
    [
      'what it lays out as text',
      '<table><tr><td><h1>Title</h1><td>menu<tr><td>a<td>b</table>',
      '# Title\n\nmenu\n\na\n\nb',
    ],
    [
      'a list in a cell',
      '<table><tr><th>Role<th>Does<tr><td>Cook<td><ul><li>cooks<li>eats</ul></table>',
      '| Role | Does |\n| --- | --- |\n| Cook | • cooks • eats |',
    ],
    ['one column as text', '<table><tr><td>a<tr><td>b</table>', 'a\n\nb'],
  ])('writes a table of HTML with %s', (_what, content, expected) => {
    expect(toDocument({ path: 'p.html', content }).content).toBe(expected);
  });

  it.each([
    ['no mark of code', '<pre>a &lt; b\n  *c*</pre>', '```\na < b\n  *c*\n```'],
    ['spans and line breaks', '<pre><span>a</span> = <b>1</b><br>b</pre>', '```\na = 1\nb\n```'],
    ['fences in it', '<pre>\n```\nx\n```\n</pre>', '````\n```\nx\n```\n````'],
    ['a mark of code', '<pre><code>a</code></pre>', '```\na\n```'],
    ['nothing in it', 'a<pre> </pre>b', 'a\n\nb'],
  ])('reads preformatted text of HTML with %s as code', (_what, content, expected) => {
    expect(toDocument({ path: 'p.html', content }).content).toBe(expected);
  });

  it.each([
    ['guide.rst', 'Guide\n=====\n\nRun::\n\n  make\n', 'Guide', '# Guide\n\nRun:\n\n```\nmake\n```'],
    ['guide.adoc', '= Guide\n\n----\nmake\n----\n', 'Guide', '# Guide\n\n```\nmake\n```'],
    ['guide.asc', 'text', 'guide', 'text'],
  ])('converts %s to Markdown', (path, content, title, expected) => {
    expect(toDocument({ path, content })).toEqual({ title, content: expected, tags: [] });
  });

  it('leaves scripts, handlers and unsafe links out of HTML', () => {
    const content =
      '<nav>menu</nav><h2 onclick="x()">Head</h2><script>alert(1)</script><style>p{}</style>' +
      '<p>See <a href="javascript:alert(1)">this</a> and <a href="https://a.example">that</a></p><pre><code>x &lt; y</code></pre>';
    expect(toDocument({ path: 'p.html', content })).toEqual({
      title: 'Head',
      content: '## Head\n\nSee this and [that](https://a.example)\n\n```\nx < y\n```',
      tags: [],
    });
  });

  it('takes the type from the extension unless it is given', () => {
    expect([typeOfPath('A.MD'), typeOfPath('b.htm'), typeOfPath('c.png'), typeOfPath('d')]).toEqual([
      'markdown',
      'html',
      null,
      null,
    ]);
    expect(toDocument({ path: 'x', content: '<b>hi</b>', type: 'html' }).content).toBe('**hi**');
  });
});
