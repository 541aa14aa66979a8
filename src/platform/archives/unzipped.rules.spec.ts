import { strFromU8, strToU8, zipSync } from 'fflate';
import { unzipped } from './unzipped.rules.js';

const TEXT = 'It was the best of times.';
const all = () => true;

/** An archive without compression, in which a byte of a file was changed. */
function damaged(bytes: Uint8Array, text: string): Uint8Array {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf(text);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}

describe('unzipped files', () => {
  const files = { 'a.txt': strToU8(TEXT), 'empty/b.txt': new Uint8Array(), 'c.txt': strToU8('worst') };

  it.each([0, 6] as const)('are those that are wanted (level %d)', (level) => {
    const unpacked = unzipped(zipSync(files, { level }), ({ name }) => name !== 'c.txt');
    expect(Object.entries(unpacked).map(([name, bytes]) => [name, strFromU8(bytes)])).toEqual([
      ['a.txt', TEXT],
      ['empty/b.txt', ''],
    ]);
  });

  it('are refused when one is damaged', () => {
    const archive = damaged(zipSync(files, { level: 0 }), TEXT);
    expect(() => unzipped(archive, all)).toThrow('a.txt is damaged');
    expect(Object.keys(unzipped(archive, ({ name }) => name === 'c.txt'))).toEqual(['c.txt']);
  });

  it('are found behind other bytes, and before a comment', () => {
    const archive = Buffer.from(zipSync(files, { comment: 'a comment' }));
    expect(Object.keys(unzipped(archive.subarray(0), all))).toHaveLength(3);
    expect(Object.keys(unzipped(Buffer.concat([Buffer.alloc(7), archive]).subarray(7), all))).toHaveLength(3);
  });

  it('are none in what is no archive', () => {
    expect(() => unzipped(strToU8(TEXT), all)).toThrow('invalid zip data');
  });
});
