import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long such work may block the main thread before it yields, in milliseconds. */
const TURN_MS = 10;
/** Items per turn. Node writes to their connections when the turn has ended: 20 to 50 us for each, which no clock here sees. */
const MOST_PER_TURN = 200;

/** Does work for each item, and yields to the event loop in between. */
export async function inTurns<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  let [endsAt, left] = [performance.now() + TURN_MS, MOST_PER_TURN];
  for (const item of items) {
    work(item);
    left -= 1;
    if (left > 0 && performance.now() < endsAt) continue;
    await nextTurn();
    [endsAt, left] = [performance.now() + TURN_MS, MOST_PER_TURN];
  }
}
