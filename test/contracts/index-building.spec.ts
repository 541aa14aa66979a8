import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { growingPartsOf, learned, numbersUpTo, statementsOf } from '../../src/platform/database/plans.testing.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { exportLines, importLines } from '../../src/platform/database/transfer.js';
import { KnowledgeIndexing } from '../../src/features/knowledge/knowledge-indexing.service.js';
import { KnowledgeStore } from '../../src/features/knowledge/knowledge.store.js';
import { INDEXED_AS } from '../../src/features/knowledge/passages/document-parts.table.js';
import { knowledgeOn } from '../../src/features/knowledge/testing.js';
import { MemoryHousekeeping } from '../../src/features/memory/memory-housekeeping.service.js';
import { MemoryStore } from '../../src/features/memory/memory.store.js';
import { memoryOn } from '../../src/features/memory/testing.js';
import { packageOf, packagesOn } from '../../src/features/packages/testing.js';
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

  it('are built once by replicas that start at the same time, and while entries change', async () => {
    const from = await open();
    const source = memoryOn(from).memory;
    for (let n = 0; n < 30; n += 1) await source.save({ key: `key-${n}`, content: 'whales', client: 'ide' });
    const { packages } = await packagesOn(from);
    for (const name of ['one', 'two', 'three']) await packages.saveUpload(packageOf(name), 'ann');
    const database = await open();
    await importLines(database, exportLines(from), true);

    const replicas = [new MemoryStore(database), new MemoryStore(database), new MemoryStore(database)];
    const { lists, namesFor } = await packagesOn(database);
    const { memory } = memoryOn(database);
    const { ids } = await new MemoryStore(database).listUnindexed(0);
    const [built, ...counts] = await Promise.all([
      Promise.all(replicas.map((store) => store.indexMissing(ids))),
      ...[1, 2, 3].map(() => lists.indexMissing(100)),
      memory.save({ key: 'key-7', content: 'dolphins', client: 'ide' }),
    ]);
    expect([built.toSorted().slice(0, 2), counts.slice(0, 3).toSorted()]).toEqual([
      [0, 0],
      [0, 0, 3],
    ]);
    const found = async (query: string) => (await memory.search({ query, limit: 50 })).length;
    expect([await found('whales'), await found('dolphins'), (await namesFor('how')).length]).toEqual([29, 1, 3]);
  });
});

describeEachDatabase('what the indexes lack', (open) => {
  const MANY = 5_000;

  it('is found a part at a time, however much they have', async () => {
    const database = await open();
    const numbers = numbersUpTo(database, MANY);
    for (const statement of [
      `insert into knowledge_documents (id, title, content, tags, hash, created_at, updated_at)
        select 'd' || n, 't', 'c', '[]', 'h' || n, '2026', '2026' from (${numbers}) as numbers`,
      `insert into knowledge_document_words (document_id, indexed_as, title_words, context_words, body_words, counts)
        select 'd' || n, ${INDEXED_AS} - n / ${MANY}, 1, 1, 1, '' from (${numbers}) as numbers`,
      `insert into memory_entries (namespace, key, content, content_hash, tags, importance, client, version, created_at, updated_at)
        select 'n', 'k' || n, 'c', 'h', '[]', 1, 'ada', 1, '2026', '2026' from (${numbers}) as numbers`,
    ])
      await sql.raw(statement).execute(database);
    await learned(database);
    const found: (string | number)[] = [];
    const statements = await statementsOf(async () => {
      const [knowledge, memory] = [new KnowledgeStore(database), new MemoryStore(database)];
      let after: string | null = '';
      while (after !== null) {
        const { ids, next }: { ids: string[]; next: string | null } = await knowledge.listUnindexed(after);
        [after] = [next, found.push(...ids)];
      }
      let last: number | null = 0;
      while (last !== null) {
        const { ids, next }: { ids: number[]; next: number | null } = await memory.listUnindexed(last);
        [last] = [next, found.push(...ids)];
      }
    });
    expect(found).toHaveLength(1 + MANY);
    expect(found[0]).toBe(`d${MANY}`);
    for (const statement of statements) expect(await growingPartsOf(database, statement, MANY / 2)).toEqual([]);
  });
});

describe('the building of an index', () => {
  beforeAll(() => void Logger.overrideLogger(false));

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
