import { htmlToMarkdown } from './html-page.rules.js';

describe('htmlToMarkdown', () => {
  it.each([
    ['Sphinx', '<h1>Boats<a class="headerlink" href="#boats" title="Permalink">¶</a></h1>', '# Boats'],
    ['Docusaurus', '<h2>Boats<a class="hash-link" href="#boats">\u200b</a></h2>', '## Boats'],
    ['another program', '<h2>Boats <a href="#boats">#</a></h2>', '## Boats'],
    [
      'nobody, when it is a text',
      '<p>See <a href="#boats">Boats</a>, <a href="#c">C#</a></p>',
      'See [Boats](#boats), [C#](#c)',
    ],
  ])('leaves out the link of a heading to itself by %s', (_who, html, expected) => {
    expect(htmlToMarkdown(html)).toBe(expected);
  });

  it.each([
    ['main', '<div>menu</div><main><h1>Boats</h1><p>Float.</p></main><footer>©</footer>'],
    ['role', '<div>menu</div><div role="main"><h1>Boats</h1><p>Float.</p></div><p>©</p>'],
    ['one in another', '<p>menu</p><div role="main"><main><h1>Boats</h1><p>Float.</p></main></div>'],
    ['roles of others', '<div role="navigation">menu</div><h1>Boats</h1><div role="search">find</div><p>Float.</p>'],
    [
      'class',
      '<h1>Boats</h1><div class="toc"><a href="#a">A</a></div><a class="skip-link" href="#x">Skip</a><p>Float.</p>',
    ],
    ['what only others see', '<h1>Boats</h1><span aria-hidden="true">⛵</span><button>Copy</button><p>Float.</p>'],
  ])('reads the main part of a page, recognised by %s', (_how, html) => {
    expect(htmlToMarkdown(html)).toBe('# Boats\n\nFloat.');
  });

  it.each([
    ['several', '<main>One.</main><main>Two.</main>', 'One.\n\nTwo.'],
    ['empty', '<p>One.</p><main><img src="a.png"></main>', 'One.\n\n![](a.png)'],
    ['text', '<p>One.</p><p>&lt;main&gt;Two.&lt;/main&gt;</p>', 'One.\n\n<main>Two.</main>'],
  ])('reads the whole page when main parts are %s', (_what, html, expected) => {
    expect(htmlToMarkdown(html)).toBe(expected);
  });

  it.each([
    [
      'columns',
      '<tr><th>Role<th colspan=2>Euros<tr><td>Cook<td>1<td>2',
      '| Role | Euros | Euros |\n| --- | --- | --- |\n| Cook | 1 | 2 |',
    ],
    [
      'rows',
      '<tr><th>Role<th>Place<th>Euros<tr><td rowspan=2>Cook<td>A<td>1<tr><td>B<td>2<tr><td>Diver<td>C<td>3',
      '| Role | Place | Euros |\n| --- | --- | --- |\n| Cook | A | 1 |\n| Cook | B | 2 |\n| Diver | C | 3 |',
    ],
    [
      'all columns, once',
      '<tr><th>Role<th>Euros<tr><td colspan=2>At sea<tr><td>Cook<td>1',
      '| Role | Euros |\n| --- | --- |\n| At sea |  |\n| Cook | 1 |',
    ],
    ['rows that are not there', '<tr><td rowspan=65534>a<td>b<tr><td>c', '| a | b |\n| --- | --- |\n| a | c |'],
  ])('writes cells of several %s where they reach', (_what, rows, expected) => {
    expect(htmlToMarkdown(`<table>${rows}</table>`)).toBe(expected);
  });

  it('repeats cells at most in proportion to their table', () => {
    const lengthOf = (rows: number) =>
      htmlToMarkdown(`<table>${`<tr><td colspan=49>${'x'.repeat(60)}<td>`.repeat(rows)}</table>`).replace(/[ |]+/g, '')
        .length;
    expect(lengthOf(40)).toBeLessThan(40 * 61 * 6);
    expect(lengthOf(80)).toBeLessThan(lengthOf(40) * 2.2);
  });

  it.each([
    [
      'lines that breaks end',
      '<pre><code class="language-c">int a;<br>int b;</code></pre>',
      '```c\nint a;\nint b;\n```',
    ],
    ['lines that are elements', '<pre><code><div>a</div><div>  b</div></code></pre>', '```\na\n  b\n```'],
    [
      'the language of Sphinx',
      '<div class="highlight-python notranslate"><div class="highlight"><pre>x = 1\n</pre></div></div>',
      '```python\nx = 1\n```',
    ],
    ['no language', '<div class="highlight-default notranslate"><pre>x</pre></div>', '```\nx\n```'],
    ['the language of Confluence', '<pre class="syntaxhighlighter-pre" data-x="">y</pre>', '```\ny\n```'],
    [
      'numbers of its lines left out',
      '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td><td><pre>a\nb</pre></td></tr></table>',
      '```\na\nb\n```',
    ],
    ['links in it as texts', '<code>of(<a href="String.html">String</a> `a`)</code>', '`` of(String `a`) ``'],
  ])('writes code with %s', (_what, html, expected) => {
    expect(htmlToMarkdown(html)).toBe(expected);
  });

  it.each([
    [
      'Word',
      '<p>It floats.<sup><a href="#footnote-1" id="footnote-ref-1">[1]</a></sup></p><ol><li id="footnote-1"><p>In water. <a href="#footnote-ref-1">↑</a></p></li></ol>',
    ],
    [
      'Pandoc',
      '<p>It floats.<a href="#fn1" class="footnote-ref" id="r"><sup>1</sup></a></p><ol><li id="fn1"><p>In water.<a href="#r" class="footnote-back">↩︎</a></p></li></ol>',
    ],
    [
      'Wikipedia',
      '<p>It floats.<sup id="r"><a href="#cite_note-1"><span>[</span>1<span>]</span></a></sup></p><ol><li id="cite_note-1"><span><b><a href="#r">^</a></b></span> <span>In water.</span></li></ol>',
    ],
  ])('writes notes of %s as such', (_who, html) => {
    expect(htmlToMarkdown(html)).toBe('It floats.[^1]\n\n[^1]: In water.');
  });

  it('keeps numbers that do not link to a list item', () => {
    expect(htmlToMarkdown('<p>See <a href="#s2">2</a>.</p><h2 id="s2">Oil</h2>')).toBe('See [2](#s2).\n\n## Oil');
  });

  it('keeps links to list items that are not notes', () => {
    expect(htmlToMarkdown('<a href="#a">first</a><ol><li id="a">Go.</li></ol>')).toBe('[first](#a)\n\n1.  Go.');
  });

  it.each([
    [
      'powers and formulas of chemistry',
      '10<sup>6</sup> m<sup>2</sup> of H<sub>2</sub>O, 1<sup>st</sup>',
      '10⁶ m² of H₂O, 1st',
    ],
    [
      'formulas as TeX, once',
      '<span><math><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></math></span><span aria-hidden="true">x2</span>',
      '$x^2$',
    ],
    ['formulas without TeX', 'a <math><mi>x</mi> <mo>+</mo> <mn>1</mn></math>', 'a x + 1'],
    [
      'boxes to tick',
      '<ul><li><input type="checkbox" checked> Oil<li><input type="checkbox"> Gas</ul>',
      '-   [x] Oil\n-   [ ] Gas',
    ],
    ['no other input', '<p><input type="text" value="a">b</p>', 'b'],
    ['terms', '<dl><dt>Keel</dt><dd>Below.</dd></dl>', '**Keel**\n\nBelow.'],
    [
      'titles of notes',
      '<div class="admonition note"><p class="admonition-title">Note</p><p>Float.</p></div>',
      '**Note**\n\nFloat.',
    ],
    ['headings in a list as headings', '<ul><li><h2>Fields</h2><p>None.</p></li></ul>', '## Fields\n\nNone.'],
    ['a heading that can be pressed', '<h3><button>Why?</button></h3><p>So.</p>', '### Why?\n\nSo.'],
  ])('writes %s', (_what, html, expected) => {
    expect(htmlToMarkdown(html)).toBe(expected);
  });
});
