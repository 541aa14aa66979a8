import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long such work holds the main thread, in milliseconds, before others have their turn. */
const TURN_MS = 10;

/** Does something with each of many, and lets others have their turn in between. */
export async function inTurns<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  let endsAt = performance.now() + TURN_MS;
  for (const item of items) {
    work(item);
    if (performance.now() < endsAt) continue;
    await nextTurn();
    endsAt = performance.now() + TURN_MS;
  }
}
