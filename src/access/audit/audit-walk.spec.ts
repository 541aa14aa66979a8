import type { Candidate, CandidatesQuery } from './audit-batch.store.js';
import { AuditWalk, placeOf } from './audit-walk.js';

const QUERY = { terms: [], fromMs: null, toMs: null };

/** Batches of some entries each, one second apart, newest first; `fits` returns true for those with all terms. */
function batches(count: number, entries: number, fits: (index: number) => boolean = () => true): Candidate[] {
  return Array.from({ length: count }, (_batch, index) => {
    const firstSeq = (count - index - 1) * entries + 1;
    const toMs = (count - index) * 1_000;
    return { firstSeq, lastSeq: firstSeq + entries - 1, toMs, hash: '', bytes: 100, n: entries, fits: fits(index) };
  });
}

function storeOf(all: Candidate[]) {
  const asked = { rows: 0 };
  const listCandidates = async ({ after, limit }: CandidatesQuery) => {
    const first = after ? all.indexOf(after) + 1 : 0;
    const rows = all.slice(first, first + limit);
    asked.rows += rows.length;
    return rows;
  };
  return { asked, listCandidates };
}

/** Continues until the walk is complete, or stops. */
async function walked(walk: AuditWalk) {
  const portions: number[] = [];
  const read: Candidate[] = [];
  while ((await walk.next()) && !walk.isOver) {
    const portion = await walk.portion();
    read.push(...portion);
    portions.push(portion.length);
  }
  return { portions, read, next: await walk.next() };
}

describe('AuditWalk', () => {
  it('reads as many batches as are likely to be enough, and more each time', async () => {
    const walk = new AuditWalk(storeOf(batches(40, 5)), QUERY, null, 10);
    expect((await walked(walk)).portions).toEqual([2, 8, 30]);
  });

  it('takes large batches one at a time', async () => {
    const walk = new AuditWalk(storeOf(batches(4, 8_000)), QUERY, null, 1_000_000);
    expect((await walked(walk)).portions).toEqual([1, 1, 1, 1]);
  });

  it.each([
    ['large', 2_000, 25],
    ['small', 1, 2_381],
  ])('reads the same number of %s batches, however many there are', async (_title, entries, most) => {
    for (const count of [5_000, 10_000]) {
      const store = storeOf(batches(count, entries));
      const { read, next } = await walked(new AuditWalk(store, QUERY, null, 51));
      expect(read).toHaveLength(most);
      expect(next).toBeDefined();
      expect(store.asked.rows).toBeLessThan(most + 300);
    }
  });

  it('passes by batches without all terms, as far as it may', async () => {
    const some = storeOf(batches(1_000, 5, (index) => index % 100 === 99));
    expect((await walked(new AuditWalk(some, QUERY, null, 1))).read).toHaveLength(10);
    const none = storeOf(batches(50_000, 5, () => false));
    const { read, next } = await walked(new AuditWalk(none, QUERY, null, 1));
    expect([read, next !== undefined]).toEqual([[], true]);
    expect(none.asked.rows).toBeLessThan(13_000);
  });

  it('gets further with each page, however many batches reach into it', async () => {
    // All of them end at the same time, so that each page starts with the batches of the previous pages.
    const all = batches(6_000, 1).map((batch) => ({ ...batch, toMs: 1_000 }));
    const seen = new Set<Candidate>();
    let before = null;
    let pages = 0;
    do {
      const { read, next } = await walked(new AuditWalk(storeOf(all), QUERY, before, 51));
      for (const batch of read) seen.add(batch);
      before = next ? placeOf(next) : null;
      pages += 1;
    } while (before && pages < 10);
    expect([seen.size, pages]).toEqual([6_000, 3]);
  });
});
