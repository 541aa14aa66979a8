import type { Database } from '../../src/platform/database/database.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { KnowledgeStore } from '../../src/features/knowledge/knowledge.store.js';
import { knowledgeOn } from '../../src/features/knowledge/testing.js';
import { trimTrash } from '../../src/features/knowledge/trash/removal.table.js';
import { KEPT_DAYS } from '../../src/features/knowledge/trash/removed-document.js';
import { TrashHousekeeping } from '../../src/features/knowledge/trash/trash-housekeeping.service.js';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const DAY_MS = 86_400_000;

describeEachDatabase('the trash of the knowledge base', (open) => {
  const newKnowledge = async () => {
    const database = await open();
    return { database, ...knowledgeOn(database) };
  };
  type Knowledge = Awaited<ReturnType<typeof newKnowledge>>;

  const listed = async ({ trash }: Knowledge) => (await trash.listPage({ limit: 100 })).items;
  const found = async ({ knowledge }: Knowledge, query: string) =>
    (await knowledge.search({ query, limit: 10 })).map(({ document }) => document.id);

  it('keeps a removed document with its history, and brings both back as they were', async () => {
    const base = await newKnowledge();
    const { knowledge, trash, sent } = base;
    const first = {
      title: 'Deploy day',
      content: 'On Tuesday',
      tags: ['ops'],
      path: 'docs/deploy.md',
      source: 'import',
    };
    const { id } = (await knowledge.save(first, at(0))).document;
    await knowledge.save({ id, content: 'On Friday, with a zebra', source: 'ada' }, at(1));
    const [before, history] = [await knowledge.get(id), await knowledge.history(id)];
    sent.length = 0;

    await knowledge.remove(id, { by: 'bot' }, at(2));
    await expect(knowledge.get(id)).rejects.toThrow('there is no document');
    expect(await found(base, 'zebra')).toEqual([]);
    expect((await knowledge.listPage({ limit: 10 })).items).toEqual([]);
    expect([await knowledge.listByAge({ limit: 10 }), await knowledge.listPaths()]).toEqual([
      { items: [], nextCursor: null },
      [],
    ]);
    expect(await knowledge.suggestIds('deploy', 10)).toEqual([]);
    const [removed] = await listed(base);
    expect(removed).toEqual({
      ...{ id: removed?.id, documentId: id, title: 'Deploy day', tags: ['ops'], path: 'docs/deploy.md', source: 'ada' },
      ...{ version: 2, versions: 1, characters: 'On TuesdayOn Friday, with a zebra'.length },
      ...{ createdAt: at(0), updatedAt: at(1), removedAt: at(2), removedBy: 'bot' },
    });
    expect(await trash.get(removed?.id ?? '')).toMatchObject({ content: 'On Friday, with a zebra' });

    expect((await trash.restore(removed?.id ?? '')).document).toEqual(before);
    expect([await knowledge.get(id), await knowledge.history(id)]).toEqual([before, history]);
    expect(await knowledge.version(id, 1)).toMatchObject({ content: 'On Tuesday' });
    expect(await found(base, 'zebra')).toEqual([id]);
    expect((await knowledge.listPage({ limit: 10, tag: 'ops' })).items).toMatchObject([{ id }]);
    expect(await listed(base)).toEqual([]);
    await expect(trash.restore(removed?.id ?? '')).rejects.toThrow('there is no removed document');
    expect(sent.map(([, event]) => event)).toEqual(['removed', 'created'].map((change) => ({ id, change })));
    expect(await knowledge.save({ ...first, content: 'On Monday' }, at(3))).toMatchObject({
      outcome: 'updated',
      document: { id, version: 3 },
    });
  });

  it('removes only the version that is known, and keeps what was changed meanwhile', async () => {
    const base = await newKnowledge();
    const { id } = (await base.knowledge.save({ title: 'Plan', content: 'a' })).document;
    await base.knowledge.save({ id, content: 'b' });
    await expect(base.knowledge.remove(id, { basedOn: 1 })).rejects.toThrow('has changed since version 1');
    // Simulates a change between the version check and the removal.
    expect(await new KnowledgeStore(base.database).remove({ id, version: 1, by: null, at: at(0) })).toBe(false);
    expect(await listed(base)).toEqual([]);
    expect(await base.knowledge.history(id)).toHaveLength(1);
  });

  it('gives a document another address, and no path, when others have taken these', async () => {
    const base = await newKnowledge();
    const { knowledge, trash } = base;
    const save = async (content: string) =>
      (await knowledge.save({ title: 'Plan', content, path: 'docs/plan.md' })).document.id;
    const ids: string[] = [];
    for (const content of ['one', 'two', 'three']) {
      ids.push(await save(content));
      await knowledge.remove('plan');
    }
    ids.push(await save('four'));
    expect(ids).toEqual(['plan', 'plan', 'plan', 'plan']);
    const places = (await listed(base)).map(({ id }) => id);
    expect(places).toHaveLength(3);
    const restored = [];
    for (const place of places) restored.push((await trash.restore(place)).document);
    expect(restored.map(({ id, path }) => [id, path])).toEqual([
      ['plan-2', null],
      ['plan-3', null],
      ['plan-4', null],
    ]);
    const contents = await Promise.all(['plan', 'plan-2', 'plan-3', 'plan-4'].map(async (id) => knowledge.get(id)));
    expect(contents.map(({ content }) => content).sort()).toEqual(['four', 'one', 'three', 'two']);
  });

  it('gives a document at another address a version that none there has had', async () => {
    const { knowledge, trash } = await newKnowledge();
    const save = async (path: string) => (await knowledge.save({ title: 'Plan', content: path, path })).document.id;
    expect([await save('a.md'), await save('b.md')]).toEqual(['plan', 'plan-2']);
    for (const id of ['plan-2', 'plan']) await knowledge.remove(id);
    await save('c.md');
    const removed = await trash.findLatest('plan');
    expect((await trash.restore(removed?.id ?? '')).document).toMatchObject({
      id: 'plan-2',
      version: 2,
      content: 'a.md',
    });
  });

  it('restores a document once, however many ask for it at once', async () => {
    const base = await newKnowledge();
    const others = knowledgeOn(base.database);
    await base.knowledge.save({ title: 'Plan', content: 'one' });
    await base.knowledge.remove('plan');
    const [removed] = await listed(base);
    const tries = [base, others, base, others].map(({ trash }) => trash.restore(removed?.id ?? ''));
    const done = await Promise.allSettled(tries);
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await base.knowledge.listPage({ limit: 10 })).items).toMatchObject([{ id: 'plan' }]);
    expect(await listed(base)).toEqual([]);
  });

  it('removes a document once, however many ask for it at once', async () => {
    const base = await newKnowledge();
    await base.knowledge.save({ title: 'Plan', content: 'one' });
    const done = await Promise.allSettled([1, 2, 3].map(() => base.knowledge.remove('plan')));
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await listed(base)).toHaveLength(1);
  });

  it('deletes for good what was removed 30 days ago, and what one asks for', async () => {
    const base = await newKnowledge();
    const { knowledge, trash, database } = base;
    for (const [minute, title] of [
      [0, 'Old'],
      [1, 'Young'],
      [2, 'Unwanted'],
    ] as const) {
      const { id } = (await knowledge.save({ title, content: title })).document;
      await knowledge.save({ id, content: `${title} again` });
      await knowledge.remove(id, {}, at(minute));
    }
    const housekeeping = new TrashHousekeeping(trash);
    expect(await housekeeping.tick(new Date(at(0).getTime() + KEPT_DAYS * DAY_MS))).toBe(0);
    expect(await housekeeping.tick(new Date(at(0).getTime() + KEPT_DAYS * DAY_MS + 1))).toBe(1);
    const [unwanted] = await listed(base);
    await trash.purge(unwanted?.id ?? '');
    await expect(trash.purge(unwanted?.id ?? '')).rejects.toThrow('there is no removed document');
    expect((await listed(base)).map(({ title }) => title)).toEqual(['Young']);
    expect(await database.selectFrom('knowledge_trash_history').select('version').execute()).toEqual([{ version: 1 }]);
  });

  it('lists the last removed first, page by page', async () => {
    const base = await newKnowledge();
    for (let n = 0; n < 7; n += 1) {
      const { id } = (await base.knowledge.save({ title: `Note ${n}`, content: `${n}` })).document;
      await base.knowledge.remove(id, {}, at(Math.floor(n / 2)));
    }
    const titles: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await base.trash.listPage({ limit: 2, cursor });
      titles.push(...page.items.map(({ title }) => title));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(titles[0]).toBe('Note 6');
    expect(titles.slice(-2).sort()).toEqual(['Note 0', 'Note 1']);
    expect(new Set(titles).size).toBe(7);
  });

  describe('when it is full', () => {
    const fill = async (database: Database, amount: number, characters: number) => {
      const row = (n: number) => ({
        ...{ id: `old-${n}`, document_id: `old-${n}`, title: 'Old', tags: '[]', source: null, path: null, hash: '' },
        ...{ version: 1, versions: 0, content: '', characters, removed_by: null },
        ...{ created_at: at(0).toISOString(), updated_at: at(0).toISOString(), removed_at: at(n).toISOString() },
      });
      for (let start = 0; start < amount; start += 1_000) {
        const rows = Array.from({ length: Math.min(1_000, amount - start) }, (_, n) => row(start + n));
        await database.insertInto('knowledge_trash').values(rows).execute();
      }
    };
    const removeOne = async ({ knowledge }: Knowledge) => {
      const { id } = (await knowledge.save({ title: 'New', content: 'new' })).document;
      await knowledge.remove(id);
    };

    it.each([
      ['documents', 10_000, 1, 'old-1'],
      ['characters', 200, 1_000_000, 'old-1'],
    ])('drops what was removed first, by the number of its %s', async (_title, amount, characters, oldest) => {
      const base = await newKnowledge();
      await fill(base.database, amount, characters);
      await removeOne(base);
      const left = await base.database.selectFrom('knowledge_trash').select('id').orderBy('removed_at').execute();
      expect(left).toHaveLength(amount);
      expect(left[0]?.id).toBe(oldest);
      expect(await listed(base)).toMatchObject([{ title: 'New' }, ...Array.from({ length: 99 }, () => ({}))]);
    });

    it.each([
      [{ documents: 3, characters: 1_000 }, 3],
      [{ documents: 1_000, characters: 45 }, 4],
      [{ documents: 1_000, characters: 1_000 }, 70],
      [{ documents: 0, characters: 0 }, 0],
    ])('keeps %j', async (bounds, left) => {
      const { database } = await newKnowledge();
      await fill(database, 70, 10);
      await database.transaction().execute((transaction) => trimTrash(transaction, bounds));
      const rows = await database.selectFrom('knowledge_trash').select('id').orderBy('removed_at').execute();
      expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: left }, (_, n) => `old-${70 - left + n}`));
    });
  });
});
