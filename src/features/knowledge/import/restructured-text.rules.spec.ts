import { restructuredToMarkdown } from './restructured-text.rules.js';

const converted = (...lines: string[]) => restructuredToMarkdown(lines.join('\n'));

describe('reStructuredText', () => {
  it.each<[string, string[], string[]]>([
    ['a title with a line below', ['Title', '=====', '', 'Text'], ['# Title', '', 'Text']],
    ['a title between two lines', ['=======', ' Title', '=======', 'Text'], ['# Title', '', 'Text']],
    [
      'titles by the order of their lines',
      ['A', '~~~', '', 'B', '---', '', 'C', '~~~', '', '===', 'D', '==='],
      ['# A', '', '## B', '', '# C', '', '### D'],
    ],
    ['a line alone as a rule', ['a', '', '-----', '', 'b'], ['a', '', '---', '', 'b']],
    [
      'code after two colons',
      ['Run this::', '', '   make', '     all', '', 'Done'],
      ['Run this:', '', '```', 'make', '  all', '```', '', 'Done'],
    ],
    ['code after two colons alone', ['::', '', '   make'], ['```', 'make', '```']],
    [
      'a block of code',
      ['.. code-block:: python', '   :linenos:', '', '   def f():', '       pass', '', 'x'],
      ['```python', 'def f():', '    pass', '```', '', 'x'],
    ],
    ['code with fences in it', ['::', '', '   ```', '   a', '   ```'], ['````', '```', 'a', '```', '````']],
    ['an interpreter', ['>>> 1 + 1', '2', '', 'x'], ['```python', '>>> 1 + 1', '2', '```', '', 'x']],
    [
      'notes',
      ['.. note:: Mind', '   the gap.', '', '.. deprecated:: 3.2', '   Use b.'],
      ['**Note:** Mind', 'the gap.', '', '**Deprecated:** 3.2', 'Use b.'],
    ],
    [
      'descriptions of functions',
      ['.. function:: open(file)', '              open(file, mode)', '', '   Opens it.', '', 'x'],
      ['`open(file)`', '`open(file, mode)`', '', 'Opens it.', '', 'x'],
    ],
    ['pictures', ['.. image:: a.png', '   :alt: A cat'], ['![A cat](a.png)']],
    [
      'no comments, targets and contents',
      [
        '.. a comment',
        '   of two lines',
        '',
        '.. _target:',
        '',
        '.. toctree::',
        '   :maxdepth: 2',
        '',
        '   a',
        '   b',
        '',
        'x',
      ],
      ['x'],
    ],
    [
      'lists within lists',
      ['* a', '  b', '', '  * c', '', '#. d', '2. e', '', '(1) f'],
      ['- a', '  b', '', '  - c', '', '1. d', '2. e', '', '1. f'],
    ],
    ['definitions', ['term', '    What it is.', '', 'x'], ['**term**', '', 'What it is.', '', 'x']],
    ['quotes', ['a', '', '    quoted', '', 'b'], ['a', '', 'quoted', '', 'b']],
    [
      'simple tables',
      ['=====  =====', 'A      B', '=====  =====', '1      2 | 3', '       more', '=====  =====', '', 'x'],
      ['| A | B |', '| --- | --- |', '| 1 | 2 \\| 3 more |', '', 'x'],
    ],
    [
      'grids',
      ['+---+----+', '| A | B  |', '+===+====+', '| 1 | 2  |', '|   | 3  |', '+---+----+', 'x'],
      ['| A | B |', '| --- | --- |', '| 1 | 2 3 |', '', 'x'],
    ],
    [
      'tables of lists',
      [
        '.. list-table:: Rates',
        '   :header-rows: 1',
        '',
        '   * - Role',
        '     - Euros',
        '   * - Cook',
        '     - 300',
        '       net',
      ],
      ['Rates', '', '| Role | Euros |', '| --- | --- |', '| Cook | 300 net |'],
    ],
    [
      'tables of values',
      ['.. csv-table:: T', '   :header: "a", b', '', '   "1, 2", 3'],
      ['T', '', '| a | b |', '| --- | --- |', '| 1, 2 | 3 |'],
    ],
    [
      'links, roles and literals',
      ['See `the site <https://a.example>`_, `Other`_, :ref:`here <x>`, :func:`~os.open`, :rfc:`7807` and ``a|b``.'],
      ['See [the site](https://a.example), Other, here, `os.open`, RFC 7807 and `a|b`.'],
    ],
    ['substitutions', ['.. |v| replace:: 3.2', '', 'Version |v|, |w|'], ['Version 3.2, |w|']],
    ['what is no title', ['Short', '==', '', 'x'], ['Short', '==', '', 'x']],
  ])('is read with %s', (_what, lines, expected) => {
    expect(converted(...lines).split('\n')).toEqual(expected);
  });

  it('keeps the source of what is nested too deeply', () => {
    const deep = Array.from({ length: 40 }, (_, depth) => `${' '.repeat(depth)}* item ${depth}`);
    const result = converted(...deep);
    for (let depth = 0; depth < 40; depth += 1) expect(result).toContain(`item ${depth}`);
  });
});
