import { firstHeading, headingOf } from './heading.rules.js';

describe('headingOf', () => {
  it.each<[string, number, string]>([
    ['# One', 1, 'One'],
    ['###### Six', 6, 'Six'],
    ['## Closed ##', 2, 'Closed'],
    ['## C#', 2, 'C'],
    ['#\tTab \t', 1, 'Tab'],
    ['# a # b #', 1, 'a # b'],
    ['# [Link](https://x.example/) and `code` and **more**', 1, 'Link and code and more'],
    ['# [not a link] (x)', 1, '[not a link] (x)'],
    ['# ', 1, ''],
  ])('reads %j', (line, level, title) => {
    expect(headingOf(line)).toEqual({ level, title });
  });

  it.each(['', '#', '#hashtag', '####### Seven', ' # Indented', 'text'])('finds no heading in %j', (line) => {
    expect(headingOf(line)).toBeNull();
  });
});

describe('firstHeading', () => {
  it.each<[string, string | null]>([
    ['# First\n## Second', 'First'],
    ['text\n\n### Third\n## Second', 'Second'],
    ['#\n# \n#x\n# Title #', 'Title'],
    ['text', null],
    ['', null],
  ])('of %j is %j', (markdown, expected) => {
    expect(firstHeading(markdown)).toBe(expected);
  });
});
