import { asciidocToMarkdown } from './asciidoc.rules.js';

const converted = (...lines: string[]) => asciidocToMarkdown(lines.join('\n'));

describe('AsciiDoc', () => {
  it.each<[string, string[], string[]]>([
    [
      'a header',
      [
        '= Title',
        'Ann Lee <ann@a.example>',
        'v1.0, 2026',
        ':product: Rocket',
        '',
        '{product} {unknown}',
        '',
        '== Part ==',
        '',
        '=== Sub',
      ],
      ['# Title', '', 'Rocket {unknown}', '', '## Part', '', '### Sub'],
    ],
    [
      'titles of two lines',
      ['git-add(1)', '==========', '', 'NAME', '----', 'git-add - Adds', '', 'Sub', '~~~', '', 'x'],
      ['# git-add(1)', '', '## NAME', '', 'git-add - Adds', '', '### Sub', '', 'x'],
    ],
    [
      'code',
      ['[source,java]', '----', 'int a; // <1>', '', '== no title', '----', '<1> The number.'],
      ['```java', 'int a;', '', '== no title', '```', '', '1. The number.'],
    ],
    ['code that does not end', ['----', 'a', 'b'], ['```', 'a', 'b', '```']],
    [
      'a title of a block',
      ['.Example', '[source,sh]', '----', 'ls', '----'],
      ['**Example**', '', '```sh', 'ls', '```'],
    ],
    [
      'literal text',
      ['a', '', '  x = 1', '  y', '', '....', 'z', '....'],
      ['a', '', '```', 'x = 1', 'y', '```', '', '```', 'z', '```'],
    ],
    ['fences', ['```js', 'a()', '```', 'x'], ['```js', 'a()', '```', '', 'x']],
    [
      'notes',
      ['NOTE: Mind the gap.', '', '[WARNING]', '====', 'Hot.', '====', '', '[TIP]', 'Wait.'],
      ['**Note:** Mind the gap.', '', '**Warning:**', 'Hot.', '', '**Tip:** Wait.'],
    ],
    [
      'no comments, conditions and includes',
      ['a', '// no', '////', 'no', '////', 'ifdef::x[]', 'include::b.adoc[]', 'endif::[]', '[[anchor]]', 'b'],
      ['a', 'b'],
    ],
    [
      'lists',
      ['* a', 'more', '** b', '- c', '', '. one', '.. two', '', 'x'],
      ['- a', '  more', '   - b', '- c', '', '1. one', '   1. two', '', 'x'],
    ],
    [
      'a list that continues with code',
      ['* a', '+', '----', 'x', '----', '* b'],
      ['- a', '', '```', 'x', '```', '', '- b'],
    ],
    [
      'definitions',
      ['-v::', '--verbose::', '  Says more.', '', 'term:: What it is.'],
      ['**-v**', '', '**--verbose**', '', 'Says more.', '', '**term**', '', 'What it is.'],
    ],
    [
      'tables',
      ['[cols="1,2",options="header"]', '|===', '|Role |Euros', '', '|Cook', '|300 \\| net', '|===', 'x'],
      ['| Role | Euros |', '| --- | --- |', '| Cook | 300 \\\\| net |', '', 'x'],
    ],
    ['tables by their first line', ['|===', '|a |b', '|c |d', '|==='], ['| a | b |', '| --- | --- |', '| c | d |']],
    [
      'links and pictures',
      [
        'https://a.example[Site], link:b.html[B^], <<part,Part>>, <<other>>, xref:c.adoc[C], linkgit:git-log[1].',
        '',
        'image::d.png[A cat,200]',
      ],
      ['[Site](https://a.example), [B](b.html), Part, other, C, `git-log(1)`.', '', '![A cat](d.png)'],
    ],
    ['marks', ['*bold* a*b*c `code` +mono+ 2 + 3 + 4'], ['**bold** a*b*c `code` `mono` 2 + 3 + 4']],
    ['breaks', ['a', '', "'''", '', 'b +', 'c'], ['a', '', '---', '', 'b  ', 'c']],
    ['indentation of code kept', ['----', '  a', '    b', '----'], ['```', 'a', '  b', '```']],
  ])('is read with %s', (_what, lines, expected) => {
    expect(converted(...lines).split('\n')).toEqual(expected);
  });

  it('keeps the source of what is nested too deeply', () => {
    const marks = Array.from({ length: 40 }, (_, depth) => '='.repeat(4 + depth));
    const result = converted(...marks, 'text', ...[...marks].reverse());
    expect(result).toContain('text');
  });
});
