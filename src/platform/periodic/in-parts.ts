import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Does work in parts, so that nothing waits for all of it. Returns how much was done.
 * @param part does at most `atOnce`, and returns how much it did; less = nothing is left
 */
export async function inParts(atOnce: number, part: (atOnce: number) => Promise<number>): Promise<number> {
  for (let total = 0; ;) {
    const done = await part(atOnce);
    total += done;
    if (done < atOnce) return total;
    await nextTurn();
  }
}
