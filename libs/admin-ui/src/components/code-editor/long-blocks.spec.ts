import { hasLongBlock } from './long-blocks';

const LINE = 'A line of a long document, such as a log or a book.';
const lines = (count: number, line = LINE) => Array.from({ length: count }, () => line);
const isLong = (...parts: string[][]) => {
  const text = parts.flat();
  return hasLongBlock({ length: text.join('\n').length, iterLines: () => text });
};

describe('hasLongBlock', () => {
  it.each<[string, string[]]>([
    ['a paragraph', lines(1_000)],
    ['a list', lines(1_000, `- ${LINE}`)],
    ['a table', ['| a |', '|---|', ...lines(1_000, `| ${LINE} |`)]],
    ['code with empty lines', ['```js', ...lines(1_000, `${LINE}\n`).flatMap((line) => line.split('\n'))]],
    ['code between tildes', ['~~~', ...lines(1_000).flatMap((line) => [line, ''])]],
    ['indented code', lines(1_000).flatMap((line) => [`    ${line}`, ''])],
    ['code indented with tabs', lines(1_000).flatMap((line) => [`\t${line}`, ' '])],
    ['a comment', ['<!-- A log', ...lines(1_000).flatMap((line) => [line, ''])]],
    ['raw HTML', ['<pre>', ...lines(1_000).flatMap((line) => [line, ''])]],
    ['a line', ['a* '.repeat(2_000)]],
  ])('finds %s, also after other blocks and before them', (_, block) => {
    expect(isLong(block)).toBe(true);
    expect(isLong(['# Title', '', 'Some words.', ''], block, ['', 'The end.'])).toBe(true);
  });

  it.each<[string, string[]]>([
    ['paragraphs', lines(20_000).flatMap((line, index) => (index % 3 === 0 ? [line, ''] : [line]))],
    ['an empty line of spaces between them', lines(20_000).flatMap((line) => [line, '  '])],
    ['fences that end', lines(2_000).flatMap((line) => ['```', line, '', line, '```', ''])],
    ['a comment that ends on its line', ['<!-- Short -->', '', ...lines(2_000).flatMap((line) => [line, ''])]],
    ['a comment that ends', ['<!--', 'Short', '-->', '', ...lines(2_000).flatMap((line) => [line, ''])]],
    ['raw HTML that ends', ['<pre>', 'Short', '</pre>', '', ...lines(2_000).flatMap((line) => [line, ''])]],
    ['nothing', []],
    ['a block that is just short enough', lines(961)],
  ])('finds none in %s', (_, block) => expect(isLong(block)).toBe(false));
});
