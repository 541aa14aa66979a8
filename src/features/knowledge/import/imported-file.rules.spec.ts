import { toDocument, typeOfPath } from './imported-file.rules.js';

describe('toDocument', () => {
  it.each([
    ['front matter', '---\ntitle: T\ntags: a, b\n---\n\n# H', { title: 'T', content: '# H', tags: ['a', 'b'] }],
    ['a list of tags', '---\r\ntags: [a, 1]\r\n---\r\ntext', { title: 'my file', content: 'text', tags: ['a', '1'] }],
    ['the first heading', 'text\n\n## `H` two\n', { title: 'H two' }],
    ['the name of the file', 'text', { title: 'my file', content: 'text' }],
    ['front matter that is broken', '---\n: [\n---\ntext', { content: '---\n: [\n---\ntext' }],
    ['a rule that is no front matter', '---\njust text\n---\n', { content: '---\njust text\n---\n' }],
  ])('reads Markdown with %s', (_what, content, expected) => {
    expect(toDocument({ path: 'a/my-file.md', content })).toMatchObject(expected);
  });

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
    ['one column as text', '<table><tr><td>a<tr><td>b</table>', 'a\n\nb'],
  ])('writes a table of HTML with %s', (_what, content, expected) => {
    expect(toDocument({ path: 'p.html', content }).content).toBe(expected);
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
