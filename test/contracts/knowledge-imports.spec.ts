import { KeyValueStore } from '../../src/platform/database/key-value.store.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { recordedEvents } from '../../src/platform/events/testing.js';
import { recordImport, takeImported } from '../../src/features/knowledge/import/import-log.js';
import { ImportWatch } from '../../src/features/knowledge/import/import-watch.service.js';

const created = (id: string) => ({ id, change: 'created' as const });
const updated = (id: string) => ({ id, change: 'updated' as const });

describeEachDatabase('imports by the command line', (open) => {
  const newWatch = async () => {
    const facts = new KeyValueStore(await open());
    const { events, sent } = recordedEvents();
    const [watch, other] = [new ImportWatch(facts, events), new ImportWatch(facts, events)];
    return { facts, watch, other, told: () => sent.splice(0).map(([name, event]) => [name, event]) };
  };

  it('are announced once, the oldest first', async () => {
    const { facts, watch, other, told } = await newWatch();
    await watch.tick();
    expect(told()).toEqual([]);
    await recordImport(facts, [created('a')]);
    await recordImport(facts, [updated('a')]);
    await Promise.all([watch.tick(), other.tick()]);
    expect(told()).toEqual([
      ['knowledge.changed', created('a')],
      ['knowledge.changed', updated('a')],
    ]);
    for (const one of [watch, other]) await one.tick();
    expect(told()).toEqual([]);
  });

  it('are announced when they were made while the service was down, and all of those made at once', async () => {
    const { facts, watch, told } = await newWatch();
    await Promise.all(['a', 'b', 'c'].map((id) => recordImport(facts, [created(id)])));
    await watch.tick();
    expect(told()).toHaveLength(3);
  });

  it('are announced completely, with several hundreds of changes', async () => {
    const { facts, watch, told } = await newWatch();
    const changes = Array.from({ length: 800 }, (_, index) =>
      index % 2 ? created(`d${index}`) : updated(`d${index}`),
    );
    expect(await recordImport(facts, changes)).toBe(0);
    await watch.tick();
    expect(told()).toEqual(changes.map((change) => ['knowledge.changed', change]));
  });

  it('that change nothing leave no trace', async () => {
    const { facts } = await newWatch();
    await recordImport(facts, []);
    expect(await takeImported(facts)).toEqual([]);
  });

  it('leave little behind, however many and large they are, and what is new first', async () => {
    const { facts, watch, told } = await newWatch();
    const many = Array.from({ length: 4_000 }, (_, index) => updated(`u${index}`));
    const left: number[] = [];
    for (let i = 0; i < 4; i += 1) left.push(await recordImport(facts, [...many, created(`c${i}`)]));
    await watch.tick();
    const all = told().map(([, change]) => change);
    expect([left, all.length]).toEqual([[0, 0, 2_003, 4_001], 10_000]);
    expect(all).toEqual(expect.arrayContaining([0, 1, 2, 3].map((i) => created(`c${i}`))));
  });
});
