import { packBytes, unpackBytes } from './packed-bytes.js';

const bytesOf = (...values: number[]) => Uint8Array.from(values);

describe('bytes in one piece', () => {
  it('are restored unchanged, between values of every other kind', () => {
    const rowsOf = () => [
      { id: 1, words: bytesOf(1, 2, 3), signs: bytesOf(9), name: 'a' },
      { id: 2, words: null, signs: bytesOf(), name: '[0, 1]' },
      { id: 3, words: 7.5, signs: bytesOf(255, 0), name: null },
    ];
    const rows: Record<string, unknown>[] = rowsOf();
    const bytes = packBytes(rows);
    const sent = structuredClone({ rows, bytes });
    if (sent.bytes) unpackBytes(sent.rows, sent.bytes);
    expect(sent.rows).toEqual(rowsOf());
    expect(bytes?.byteLength).toBe(6);
  });

  it('are not there in rows without any', () => {
    expect([packBytes([]), packBytes([{ id: 1, name: 'a', words: null }])]).toEqual([null, null]);
  });
});
