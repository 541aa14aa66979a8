import { setTimeout as sleep } from 'node:timers/promises';
import { ConsoleLogger, Logger } from '@nestjs/common';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { exportLines, importLines } from '../../src/platform/database/transfer.js';
import { KnowledgeIndexing } from '../../src/features/knowledge/knowledge-indexing.service.js';
import { knowledgeOn } from '../../src/features/knowledge/testing.js';
import { MemoryHousekeeping } from '../../src/features/memory/memory-housekeeping.service.js';
import { memoryOn } from '../../src/features/memory/testing.js';
import { IndexBuilding } from '../../src/platform/service-info/index-building.service.js';
import { until } from '../support/until.js';

describeEachDatabase('the indexes after an import of the whole data', (open) => {
  it('are known to be unfinished until everything is found', async () => {
    const from = await open();
    for (const n of [1, 2, 3]) await knowledgeOn(from).knowledge.save({ title: `Page ${n}`, content: 'whales' });
    await memoryOn(from).memory.save({ key: 'k', content: 'whales', client: 'ide' });
    const database = await open();
    await importLines(database, exportLines(from), true);
    const { knowledge } = knowledgeOn(database);
    const { memory } = memoryOn(database);
    expect(await knowledge.search({ query: 'whales', limit: 5 })).toEqual([]);

    const building = new IndexBuilding();
    const housekeeping = new MemoryHousekeeping(memory, building);
    new KnowledgeIndexing(knowledge, building).onApplicationBootstrap();
    housekeeping.onApplicationBootstrap();
    expect(building.list().sort()).toEqual(['knowledge', 'memory']);
    expect([...building.lacksOf('knowledge'), ...building.lacksOf('feeds')]).toEqual(['index']);
    await until(() => building.list().length === 0);
    expect(building.lacksOf('knowledge').size).toBe(0);
    expect(await knowledge.search({ query: 'whales', limit: 5 })).toHaveLength(3);
    expect(await memory.search({ query: 'whales', limit: 5 })).toHaveLength(1);
    await housekeeping.onApplicationShutdown();
  });
});

describe('the building of an index', () => {
  beforeAll(() => void Logger.overrideLogger(false));
  afterAll(() => void Logger.overrideLogger(new ConsoleLogger()));

  class Impatient extends IndexBuilding {
    override readonly retryMs = 1;
  }

  it('is tried again after a failure, and unfinished until then', async () => {
    const building = new Impatient();
    let failures = 3;
    const unfinished: boolean[] = [];
    building.begin('knowledge', async () => {
      unfinished.push(building.lacksOf('knowledge').has('index'));
      if (failures-- > 0) throw new Error('the disk is full');
    });
    await until(() => building.list().length === 0);
    expect(unfinished).toEqual([true, true, true, true]);
  });

  it('is not tried again when the service stops', async () => {
    const building = new Impatient();
    let tries = 0;
    building.begin('knowledge', async () => {
      tries += 1;
      building.beforeApplicationShutdown();
      throw new Error('the database is closed');
    });
    await sleep(20);
    expect(tries).toBe(1);
  });
});
