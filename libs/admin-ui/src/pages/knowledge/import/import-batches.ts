const MOST_FILES = 20; // few, so that progress is visible
const MOST_BYTES = 4_000_000;

/** Groups files into batches that fit in one request. A file that is too large for any gets a separate batch. */
export function batchesOf<Item extends { size: number }>(files: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  let bytes = Infinity;
  for (const file of files) {
    const last = batches.at(-1);
    if (last && last.length < MOST_FILES && bytes + file.size <= MOST_BYTES) {
      last.push(file);
      bytes += file.size;
    } else {
      batches.push([file]);
      bytes = file.size;
    }
  }
  return batches;
}
