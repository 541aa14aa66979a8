import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long such work may block the main thread before it yields, in milliseconds. */
const TURN_MS = 10;

/** Does work for each item, and yields to the event loop in between. */
export async function inTurns<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  let endsAt = performance.now() + TURN_MS;
  for (const item of items) {
    work(item);
    if (performance.now() < endsAt) continue;
    await nextTurn();
    endsAt = performance.now() + TURN_MS;
  }
}
