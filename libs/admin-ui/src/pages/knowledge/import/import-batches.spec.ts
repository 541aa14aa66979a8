import { batchesOf } from './import-batches';

const sizes = (files: number[]) => batchesOf(files.map((size) => ({ size }))).map((batch) => batch.length);

describe('batchesOf', () => {
  it('puts small files together', () => expect(sizes([1, 2, 3])).toEqual([3]));
  it('begins another batch after 20 files', () => expect(sizes(Array<number>(41).fill(1))).toEqual([20, 20, 1]));
  it('begins another batch before it grows too large', () => expect(sizes([3e6, 1e6, 1])).toEqual([2, 1]));
  it('leaves a large file alone', () => expect(sizes([1, 9e6, 1])).toEqual([1, 1, 1]));
  it('has none for no files', () => expect(sizes([])).toEqual([]));
});
