import { FairQueue } from './fair-queue.js';

/** The queue, with requests whose starts are recorded in order. */
function newTurns() {
  let nowMs = 0;
  const turns = new FairQueue(() => nowMs);
  const begun: string[] = [];
  // A single client need not wait for its debt.
  void turns.turn('somebody', { bytes: 0, isWanted: () => true }, 1);
  const ask = async (client: string, bytes = 0, { most = 1_000, closed = false } = {}) => {
    const may = await turns.turn(client, { bytes, isWanted: () => !closed }, most);
    if (may) begun.push(client);
    return may;
  };
  /** Lets some turns of the event loop pass. */
  const pass = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return { turns, begun, ask, pass, sleep: (ms: number) => (nowMs += ms) };
}

describe('turns of requests', () => {
  it('let a client start at once, however many requests of another one wait', async () => {
    const { begun, ask, pass } = newTurns();
    const flood = Array.from({ length: 100 }, () => ask('flood'));
    await pass(3);
    const before = begun.length;
    expect(before).toBeLessThan(20);
    const other = ask('other');
    await pass(1);
    expect(begun.indexOf('other')).toBeLessThanOrEqual(before + 4);
    expect(await Promise.all([other, ...flood])).not.toContain(false);
    expect(begun).toHaveLength(101);
  });

  it('reject what exceeds the queue, and nothing else', async () => {
    const { ask } = newTurns();
    const asked = await Promise.all(Array.from({ length: 15 }, () => ask('flood', 0, { most: 10 })));
    expect(asked.filter((may) => !may)).toHaveLength(3); // two had started, ten were queued
    expect(await ask('flood')).toBe(true);
  });

  it('make a client that has sent much, or was refused, wait for its next turn, and nobody else', async () => {
    const { turns, begun, ask, pass, sleep } = newTurns();
    await ask('large', 2_000_000);
    turns.chargeRefusal('refused');
    const waiting = [ask('large'), ask('refused')];
    for (let count = 0; count < 20; count += 1) await ask('other');
    expect(new Set(begun)).toEqual(new Set(['large', 'other']));
    expect(begun.filter((client) => client === 'large')).toHaveLength(1);
    sleep(5);
    await ask('other');
    await pass(2);
    expect(begun).toContain('refused');
    sleep(100);
    await Promise.all([...waiting, ask('other')]);
    expect(begun.filter((client) => client === 'large')).toHaveLength(2);
  });

  it('make a client wait for bytes that it had not announced', async () => {
    const { turns, begun, ask, pass, sleep } = newTurns();
    turns.chargeBody('small', 65_536);
    turns.chargeBody('large', 2_000_000);
    const waiting = [ask('large'), ask('small')];
    await ask('other');
    await pass(2);
    expect(begun.toSorted()).toEqual(['other', 'small']);
    sleep(100);
    await ask('other');
    await Promise.all(waiting);
    expect(begun).toContain('large');
  });

  it('lock nobody out: a client with a large debt has paid after five seconds', async () => {
    const { turns, begun, ask, pass, sleep } = newTurns();
    for (let count = 0; count < 100_000; count += 1) turns.chargeRefusal('flood');
    const waiting = ask('flood');
    sleep(4_999);
    await ask('other');
    await pass(2);
    expect(begun).toEqual(['other']);
    sleep(1);
    await ask('other');
    expect(await waiting).toBe(true);
  });

  it('make a single client never wait for what it has sent', async () => {
    const { begun, ask, sleep } = newTurns();
    await ask('other');
    const first = [ask('large', 3_000_000), ask('large', 3_000_000)];
    await ask('other');
    expect(begun).toEqual(['other', 'large', 'other']);
    sleep(1_000);
    await Promise.all(first);
    for (let count = 0; count < 100; count += 1) expect(await ask('large', 3_000_000)).toBe(true);
    // Now there is another client again.
    await ask('other');
    const waiting = ask('large');
    await ask('other');
    expect(begun.at(-1)).toBe('other');
    sleep(5_000);
    await Promise.all([waiting, ask('other')]);
  });

  it('count nothing for requests whose connection is closed in the meantime', async () => {
    const { begun, ask, sleep } = newTurns();
    await ask('gone', 100_000);
    const gone = Array.from({ length: 500 }, () => ask('gone', 3_000_000, { closed: true }));
    const last = ask('gone');
    sleep(5);
    await ask('other');
    await Promise.all([...gone, last]);
    expect(begun).toHaveLength(503);
  });
});
