import { setImmediate as nextTurn } from 'node:timers/promises';

const WORD_BITS = 32;
/** Takes about 3 ms. */
const WORDS_IN_ONE_TURN = 500_000;
/** Greater than any distance. */
const NOT_THERE = 65_535;
const FIRST_CAPACITY = 1024;

/**
 * Holds the signs of many embeddings in memory, and finds the nearest: those that differ in the fewest dimensions. 100,000
 * embeddings of 1,536 dimensions take about 30 MB.
 */
export class SignIndex {
  private ids = new Float64Array(FIRST_CAPACITY);
  private words: Uint32Array;
  private readonly slots = new Map<number, number>();
  private readonly wordsEach: number;

  /** @param bytesEach length of the signs of one embedding */
  constructor(readonly bytesEach: number) {
    this.wordsEach = Math.ceil((bytesEach * 8) / WORD_BITS);
    this.words = new Uint32Array(FIRST_CAPACITY * this.wordsEach);
  }

  get size(): number {
    return this.slots.size;
  }

  /** Adds or replaces the signs of an embedding. Ignores signs of another length, which can't be compared. */
  put(id: number, signs: Uint8Array): void {
    if (signs.length !== this.bytesEach) return;
    const slot = this.slots.get(id) ?? this.slots.size;
    if (slot >= this.ids.length) this.grow();
    this.slots.set(id, slot);
    this.ids[slot] = id;
    this.words.set(this.toWords(signs), slot * this.wordsEach);
  }

  remove(id: number): void {
    const slot = this.slots.get(id);
    if (slot === undefined) return;
    const last = this.slots.size - 1;
    const moved = this.ids[last] ?? 0;
    this.ids[slot] = moved;
    this.words.copyWithin(slot * this.wordsEach, last * this.wordsEach, (last + 1) * this.wordsEach);
    this.slots.set(moved, slot);
    this.slots.delete(id);
  }

  /**
   * Returns the ids of the nearest embeddings in no particular order: `count` of them, or more when several are equally
   * near.
   * @param among the ids to choose from; null = all
   */
  async nearest(signs: Uint8Array, count: number, among: ReadonlySet<number> | null): Promise<number[]> {
    if (signs.length !== this.bytesEach) return [];
    const wanted = this.toWords(signs);
    // A copy, because embeddings may be added or removed between the turns. A candidate may then be wrong or missing, which does
    // little harm.
    const ids = among ? Float64Array.from(among) : this.ids.slice(0, this.size);
    const distances = new Uint16Array(ids.length);
    const withDistance = new Uint32Array(this.bytesEach * 8 + 1);
    const inOneTurn = Math.ceil(WORDS_IN_ONE_TURN / this.wordsEach);
    for (let position = 0; position < ids.length; position += 1) {
      if (position > 0 && position % inOneTurn === 0) await nextTurn();
      const slot = among ? this.slots.get(ids[position] ?? 0) : position;
      const distance = slot === undefined ? NOT_THERE : this.distance(wanted, slot);
      distances[position] = distance;
      if (distance < NOT_THERE) withDistance[distance] = (withDistance[distance] ?? 0) + 1;
    }
    const limit = farthest(withDistance, count);
    const found: number[] = [];
    distances.forEach((distance, position) => {
      if (distance <= limit) found.push(ids[position] ?? 0);
    });
    return found;
  }

  // Counts the dimensions that differ. This is the hot loop of a search, so it has no calls or allocations.
  private distance(wanted: Uint32Array, slot: number): number {
    const { words, wordsEach } = this;
    const start = slot * wordsEach;
    let distance = 0;
    for (let index = 0; index < wordsEach; index += 1) {
      let bits = (words[start + index] ?? 0) ^ (wanted[index] ?? 0);
      bits -= (bits >>> 1) & 0x55555555;
      bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
      distance += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    return distance;
  }

  private toWords(signs: Uint8Array): Uint32Array {
    const bytes = new Uint8Array(this.wordsEach * 4);
    bytes.set(signs);
    return new Uint32Array(bytes.buffer);
  }

  private grow(): void {
    const ids = new Float64Array(this.ids.length * 2);
    ids.set(this.ids);
    const words = new Uint32Array(this.words.length * 2);
    words.set(this.words);
    [this.ids, this.words] = [ids, words];
  }
}

/** Returns the smallest distance that includes `count` embeddings. */
function farthest(withDistance: Uint32Array, count: number): number {
  let found = 0;
  for (let distance = 0; distance < withDistance.length; distance += 1) {
    found += withDistance[distance] ?? 0;
    if (found >= count) return distance;
  }
  return withDistance.length;
}
