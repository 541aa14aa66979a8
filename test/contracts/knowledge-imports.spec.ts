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

  it('are told of once, the oldest first', async () => {
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

  it('are told of when they were made while the service was down, and all of those made at once', async () => {
    const { facts, watch, told } = await newWatch();
    await Promise.all(['a', 'b', 'c'].map((id) => recordImport(facts, [created(id)])));
    await watch.tick();
    expect(told()).toHaveLength(3);
  });

  it('that change nothing leave no trace', async () => {
    const { facts } = await newWatch();
    await recordImport(facts, []);
    expect(await takeImported(facts)).toEqual([]);
  });

  it('leave little behind, however many and large they are, and what is new first', async () => {
    const { facts, watch, told } = await newWatch();
    const many = Array.from({ length: 900 }, (_, index) => updated(`u${index}`));
    for (let i = 0; i < 9; i += 1) await recordImport(facts, [...many, created(`c${i}`)]);
    await watch.tick();
    const all = told().map(([, change]) => change);
    expect(all).toHaveLength(2_500);
    expect(all.filter((_change, index) => index % 500 === 0)).toEqual([4, 5, 6, 7, 8].map((i) => created(`c${i}`)));
  });
});
