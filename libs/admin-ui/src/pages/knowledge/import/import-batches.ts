const MOST_FILES = 20; // few, so that one sees it move on
const MOST_BYTES = 4_000_000;

/** Groups files into batches that fit in one request. A file that fits in none gets a batch of its own. */
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
