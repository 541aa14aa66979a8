import { FactStore } from '../../src/database/fact.store.js';
import { describeEachDatabase } from '../../src/database/testing.js';
import { recordedEvents } from '../../src/events/testing.js';
import { listImports, recordImport } from '../../src/knowledge/import/import-log.js';
import { ImportWatch } from '../../src/knowledge/import/import-watch.service.js';

const created = (id: string) => ({ id, change: 'created' as const });
const updated = (id: string) => ({ id, change: 'updated' as const });

describeEachDatabase('imports by the command line', (open) => {
  const newWatch = async () => {
    const facts = new FactStore(await open());
    const { events, sent } = recordedEvents();
    const watch = new ImportWatch(facts, events);
    await recordImport(facts, [created('before-the-start')]);
    await watch.onApplicationBootstrap();
    watch.onApplicationShutdown(); // the test ticks
    return { facts, watch, told: () => sent.splice(0).map(([name, event]) => [name, event]) };
  };

  it('are told of once, the oldest first', async () => {
    const { facts, watch, told } = await newWatch();
    await watch.tick();
    expect(told()).toEqual([]);
    await recordImport(facts, [created('a')]);
    await recordImport(facts, [updated('a')]);
    await watch.tick();
    expect(told()).toEqual([
      ['knowledge.changed', created('a')],
      ['knowledge.changed', updated('a')],
    ]);
    await watch.tick();
    expect(told()).toEqual([]);
  });

  it('that change nothing leave no trace', async () => {
    const { facts } = await newWatch();
    await recordImport(facts, []);
    expect(await listImports(facts)).toHaveLength(1);
  });

  it('leave little behind, however many and large they are, and what is new first', async () => {
    const { facts, watch, told } = await newWatch();
    const many = Array.from({ length: 900 }, (_, index) => updated(`u${index}`));
    for (let i = 0; i < 9; i += 1) await recordImport(facts, [...many, created(`c${i}`)]);
    const imports = await listImports(facts);
    expect(imports.map(({ changes }) => [changes.length, changes[0]])).toEqual(
      [8, 7, 6, 5, 4].map((i) => [500, created(`c${i}`)]),
    );
    await watch.tick();
    expect(told()).toHaveLength(2_500);
  });
});
