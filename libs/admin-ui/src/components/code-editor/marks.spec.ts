import type { Text } from '@codemirror/state';
import { type Mark, toDiagnostics } from './marks';

/** Imitates a document of the editor, a package that only the pages install. */
function documentOf(text: string) {
  const lines = text.split('\n');
  const line = (number: number) => ({
    from: lines.slice(0, number - 1).join('\n').length + (number > 1 ? 1 : 0),
    text: lines[number - 1] ?? '',
  });
  return { lines: lines.length, line } as Text;
}

const DOCUMENT = documentOf('do:\n  - a:  \n');
const rangeOf = (line: number, column: number) => {
  const mark: Mark = { severity: 'error', line, column, message: 'wrong' };
  return toDiagnostics(DOCUMENT, [mark]).map(({ from, to }) => [from, to])[0];
};

describe('toDiagnostics', () => {
  it('marks from the column to the end of the text', () => expect(rangeOf(2, 5)).toEqual([8, 10]));
  it('marks nothing on an empty line', () => expect(rangeOf(3, 1)).toEqual([13, 13]));
  it('stays within the text', () => {
    expect(rangeOf(99, 99)).toEqual([13, 13]);
    expect(rangeOf(0, 0)).toEqual([0, 3]);
    expect(rangeOf(1, 99)).toEqual([3, 3]);
  });
});
