import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Does work in batches, so that nothing has to wait for all of it. Returns the total.
 * @param part does at most `atOnce`, and returns how much it did; less = done
 */
export async function inParts(atOnce: number, part: (atOnce: number) => Promise<number>): Promise<number> {
  for (let total = 0; ;) {
    const done = await part(atOnce);
    total += done;
    if (done < atOnce) return total;
    await nextTurn();
  }
}
