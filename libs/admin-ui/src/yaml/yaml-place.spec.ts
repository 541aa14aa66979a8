import { growthOf, LINEAR, TIMES } from '../../../../test/support/growth.js';
import { placeAt, valueBeside } from './yaml-place';

/** Returns the position of the `^` in a text, and the text without it. */
function at(text: string) {
  const before = text.slice(0, text.indexOf('^')).split('\n');
  return placeAt(text.replace('^', '').split('\n'), before.length - 1, before.at(-1)?.length ?? 0);
}

const key = (path: (string | number)[], typed: string, siblings: string[] = []) => ({
  path,
  kind: 'key',
  typed,
  siblings,
});
const value = (path: (string | number)[], typed: string) => ({ path, kind: 'value', typed, siblings: [] });

describe('placeAt', () => {
  it.each([
    ['^', key([], '')],
    ['document:\n  na^', key(['document'], 'na')],
    ['document:\n  dsl: 1.0.0\n  ^\n  version: 1.0.0\ndo: []', key(['document'], '', ['dsl', 'version'])],
    ['document:\n  name: x\nsch^', key([], 'sch', ['document'])],
    ['document:\n  dsl: 1.^', value(['document', 'dsl'], '1.')],
    ['do:\n  - fetch:\n      ca^', key(['do', 0, 'fetch'], 'ca')],
    ['do:\n- fetch:\n    ca^', key(['do', 0, 'fetch'], 'ca')],
    ['do:\n  - one:\n      set: {}\n  - two:\n      call: http\n      ^', key(['do', 1, 'two'], '', ['call'])],
    [
      'do:\n  - one:\n      call: http\n      with:\n        method: g^',
      value(['do', 0, 'one', 'with', 'method'], 'g'),
    ],
    ['do:\n  - one:\n      wait: PT1S\n  - ^', key(['do', 1], '')],
    ['do:\n  - one:\n      do:\n        - two:\n            ^', key(['do', 0, 'one', 'do', 0, 'two'], '')],
    [
      'do:\n  - one:\n      set: {}\n  - two:\n      try:\n        - three:\n            ^',
      key(['do', 1, 'two', 'try', 0, 'three'], ''),
    ],
    ['# a comment\n\nuse:\n\n  # another\n  retries:\n    ^', key(['use', 'retries'], '')],
    ['"quoted":\n  ^', key(['quoted'], '')],
    ['- - a:\n      ^', key([0, 0, 'a'], '')],
  ])('knows the place in %j', (text, place) => expect(at(text)).toEqual(place));

  it.each([
    ['# com^', 'comments'],
    ['document:\n  summary: |\n    a te^', 'texts of several lines'],
    ['document:\n  summary: >-\n    a text\n\n    and mo^', 'their later lines'],
    ['set: { a: ^', 'flow mappings'],
  ])('knows none in %j: %s', (text) => expect(at(text)).toBeNull());

  it('costs no more than in proportion to the length of the text', async () => {
    const textOf = (tasks: number) => [
      'do:',
      ...Array.from({ length: tasks }, (_, index) => `  - task${index}:`),
      '      ca',
    ];
    const texts = new Map([1, TIMES].map((size) => [size, textOf(2_500 * size)]));
    const placeIn = (lines: string[] = []) => placeAt(lines, lines.length - 1, 8);
    expect(placeIn(texts.get(TIMES))).toEqual(key(['do', 19_999, 'task19999'], 'ca'));
    expect(await growthOf((size) => placeIn(texts.get(size)))).toBeLessThan(LINEAR);
  });
});

describe('valueBeside', () => {
  const called = (text: string) => {
    const before = text.slice(0, text.indexOf('^')).split('\n');
    const place = { line: before.length - 1, column: before.at(-1)?.length ?? 0, key: 'with', beside: 'call' };
    return valueBeside(text.replace('^', '').split('\n'), place);
  };

  it.each([
    ['do:\n  - a:\n      call: save\n      with:\n        ^', 'save'],
    ['do:\n  - a:\n      with:\n        key: x\n        ^\n      call: "save"', 'save'],
    [
      'do:\n  - a:\n      call: other\n  - b:\n      call: save # it\n      with:\n        tags:\n          - ^',
      'save',
    ],
    ['do:\n  - a:\n      call: other\n  - b:\n      with:\n        ^', null],
    ['do:\n  - a:\n      call: save\n      ^', null],
  ])('%j', (text, expected) => {
    expect(called(text)).toBe(expected);
  });
});
