import { jest } from '@jest/globals';
import { numbersBelow } from '../../../test/fuzz/random.js';
import { linesOf } from './lines.js';

async function* partsOf(bytes: Uint8Array, next: (below: number) => number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + next(9);
    yield bytes.subarray(at, end);
    at = end;
  }
}

describe('the lines of a file', () => {
  it('end at line feeds only, wherever the file is cut into parts', async () => {
    const random = numbersBelow(7);
    const pieces = ['a', 'ä', '😀', '\u2028', '\u2029', '\r', '\n', '\n\n', ''];
    for (let round = 0; round < 500; round += 1) {
      const text = Array.from({ length: random(40) }, () => pieces[random(pieces.length)]).join('');
      const lines: string[] = [];
      for await (const line of linesOf(partsOf(Buffer.from(text), random))) lines.push(line);
      expect(lines).toEqual(
        (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n').slice(0, text === '' ? 0 : undefined),
      );
    }
  });

  it('are put together once each, however many parts they have', async () => {
    const part = Buffer.alloc(1_000, 'a');
    async function* parts() {
      for (let count = 0; count < 5_000; count += 1) yield part;
    }
    const joining = jest.spyOn(Array.prototype, 'join');
    const lines: number[] = [];
    for await (const line of linesOf(parts())) lines.push(line.length);
    const times = joining.mock.calls.length;
    joining.mockRestore();
    expect([lines, times]).toEqual([[5_000_000], 1]);
  });
});
