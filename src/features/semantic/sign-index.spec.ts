import { Random } from '../../../test/fuzz/random.js';
import { type Embedding, similarity, toEmbedding } from './models/embedding.rules.js';
import { SignIndex } from './sign-index.js';

const signs = (...bytes: number[]) => Uint8Array.from(bytes);

describe('SignIndex', () => {
  it('finds the ids that differ in the fewest dimensions, and all that are equally near', async () => {
    const index = new SignIndex(2);
    index.put(1, signs(0b1111, 0));
    index.put(2, signs(0b0111, 0));
    index.put(3, signs(0b1011, 0));
    index.put(4, signs(0xf0, 0xff));
    expect(await index.nearest(signs(0b1111, 0), 1, null)).toEqual([1]);
    expect((await index.nearest(signs(0b1111, 0), 2, null)).sort()).toEqual([1, 2, 3]);
    expect((await index.nearest(signs(0b1111, 0), 10, null)).sort()).toEqual([1, 2, 3, 4]);
  });

  it('searches only among the given ids', async () => {
    const index = new SignIndex(1);
    for (const id of [1, 2, 3]) index.put(id, signs(id));
    expect(await index.nearest(signs(1), 1, new Set([2, 3, 99]))).toEqual([3]);
    expect(await index.nearest(signs(1), 1, new Set())).toEqual([]);
  });

  it('removes and replaces signs', async () => {
    const index = new SignIndex(1);
    for (const id of [1, 2, 3]) index.put(id, signs(id));
    index.remove(1);
    index.remove(1);
    index.put(2, signs(0xff));
    expect(index.size).toBe(2);
    expect(await index.nearest(signs(0xff), 1, null)).toEqual([2]);
    expect((await index.nearest(signs(1), 5, null)).sort()).toEqual([2, 3]);
  });

  it('removes the last one', async () => {
    const index = new SignIndex(1);
    for (const id of [1, 2]) index.put(id, signs(id));
    index.remove(2);
    expect([index.size, await index.nearest(signs(2), 5, null)]).toEqual([1, [1]]);
    index.put(3, signs(3));
    expect((await index.nearest(signs(2), 5, null)).sort()).toEqual([1, 3]);
  });

  it('ignores signs of another length', async () => {
    const index = new SignIndex(2);
    index.put(1, signs(1));
    expect([index.size, await index.nearest(signs(1), 1, null)]).toEqual([0, []]);
  });

  it('chooses candidates that hold nearly all of the nearest ten', async () => {
    const random = new Random(5);
    const clusters = Array.from({ length: 40 }, () => direction(random));
    const embeddings = new Map<number, Embedding>();
    for (let id = 0; id < 4_000; id += 1) embeddings.set(id, embeddingNear(clusters[id % 40] ?? [], random));
    const index = new SignIndex(DIMENSIONS / 8);
    for (const [id, embedding] of embeddings) index.put(id, embedding.signs);
    let found = 0;
    for (let query = 0; query < 40; query += 1) {
      const wanted = embeddingNear(clusters[query] ?? [], random);
      const candidates = new Set(await index.nearest(wanted.signs, 200, null));
      found += nearestTen(wanted, embeddings).filter((id) => candidates.has(id)).length;
    }
    expect(found / 400).toBeGreaterThan(0.97);
  });
});

const DIMENSIONS = 384;

const direction = (random: Random): number[] => Array.from({ length: DIMENSIONS }, () => random.next() - 0.5);

function embeddingNear(center: readonly number[], random: Random): Embedding {
  const embedding = toEmbedding(center.map((value) => value + (random.next() - 0.5) * 1.5));
  if (!embedding) throw new Error('it has no direction');
  return embedding;
}

function nearestTen(wanted: Embedding, embeddings: ReadonlyMap<number, Embedding>): number[] {
  return [...embeddings]
    .map(([id, { values }]) => ({ id, near: similarity(wanted.values, values) }))
    .sort((a, b) => b.near - a.near)
    .slice(0, 10)
    .map(({ id }) => id);
}
