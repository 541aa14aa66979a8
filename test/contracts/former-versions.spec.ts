import { sql } from 'kysely';
import { knowledgeOn } from '../../src/features/knowledge/testing.js';
import { DocumentConflict } from '../../src/features/knowledge/documents/knowledge.errors.js';
import { MemoryConflict } from '../../src/features/memory/memory.errors.js';
import { memoryOn } from '../../src/features/memory/testing.js';
import { ModuleStore } from '../../src/features/modules/module.store.js';
import { packageOf, packagesOn } from '../../src/features/packages/testing.js';
import type { Database } from '../../src/platform/database/database.js';
import { formerVersions, keepFormerVersions } from '../../src/platform/database/former-versions.table.js';
import { numbersUpTo } from '../../src/platform/database/plans.testing.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';

const at = (day: number) => new Date(Date.UTC(2026, 0, 1 + day));

describeEachDatabase('a save based on something that was removed', (open) => {
  let database: Database;
  beforeEach(async () => void (database = await open()));

  it('replaces and removes no other entry of the memory under the same key', async () => {
    const { memory } = memoryOn(database);
    const entry = { key: 'day', client: 'ada' };
    await memory.save({ ...entry, content: 'Monday' }, at(0));
    const { version } = (await memory.save({ ...entry, content: 'Tuesday' }, at(0))).entry;
    await memory.remove('shared', 'day');
    const { entry: other, outcome } = await memory.save({ ...entry, content: 'another' }, at(1));
    expect([outcome, other.version]).toEqual(['created', 3]);
    expect(await memory.get('shared', 'day', at(1))).toMatchObject({ version: 3, content: 'another' });
    const change = { ...entry, content: 'Wednesday' };
    for (const basedOn of [1, version])
      await expect(memory.save({ ...change, basedOn }, at(1))).rejects.toThrow(MemoryConflict);
    await expect(memory.remove('shared', 'day', version)).rejects.toThrow(MemoryConflict);
    expect((await memory.save({ ...change, basedOn: 3 }, at(1))).entry.version).toBe(4);
  });

  it('replaces no entry that follows one that has expired', async () => {
    const { memory } = memoryOn(database);
    const entry = { key: 'day', client: 'ada' };
    await memory.save({ ...entry, content: 'Monday', expiresInDays: 1 }, at(0));
    const { version } = (await memory.save({ ...entry, content: 'another' }, at(2))).entry;
    expect(version).toBe(2);
    await expect(memory.save({ ...entry, content: 'x', basedOn: 1 }, at(2))).rejects.toThrow(MemoryConflict);
  });

  it('replaces no other document at the same address, nor one that is brought back there', async () => {
    const { knowledge, trash } = knowledgeOn(database);
    const document = { title: 'Deploy day' };
    const { id } = (await knowledge.save({ ...document, content: 'On Monday' }, at(0))).document;
    await knowledge.save({ id, content: 'On Tuesday' }, at(0));
    await knowledge.remove(id, {}, at(1));
    const [first] = (await trash.listPage({ limit: 1 })).items;
    const other = (await knowledge.save({ ...document, content: 'another' }, at(2))).document;
    expect([other.id, other.version, (await knowledge.get(id)).version]).toEqual([id, 3, 3]);
    for (const basedOn of [1, 2])
      await expect(knowledge.save({ id, content: 'On Friday', basedOn })).rejects.toThrow(DocumentConflict);
    await knowledge.remove(id, {}, at(3));
    const { document: restored } = await trash.restore(first?.id ?? '');
    expect(restored).toMatchObject({ id, content: 'On Tuesday', version: 4 });
    await expect(knowledge.save({ id, content: 'On Friday', basedOn: 3 })).rejects.toThrow(DocumentConflict);
    expect((await knowledge.save({ id, content: 'On Friday', basedOn: 4 })).document.version).toBe(5);
  });

  it('replaces no settings of another module of the same name', async () => {
    const modules = new ModuleStore(database);
    const by = { by: 'ann', at: at(0) };
    const code = {
      file: 'alpha.ts',
      files: { 'alpha.ts': 'a' },
      javascript: { 'alpha.ts': 'a' },
      digest: 'd',
      skills: [],
    };
    const save = () => modules.save({ name: 'alpha', ...code }, 'upload', by, 9);
    await save();
    expect(await modules.giveSettings('alpha', { team: 'ops' }, 0, by)).toBe('saved');
    await modules.remove('alpha');
    await save();
    expect(await modules.giveSettings('alpha', { team: 'others' }, 0, by)).toBe('saved');
    expect(await modules.giveSettings('alpha', { team: 'mine' }, 1, by)).toBe('outdated');
    expect(await modules.giveSettings('alpha', { team: 'mine' }, 2, by)).toBe('saved');
  });

  it('replaces no other package of the same name', async () => {
    const { store } = await packagesOn(database);
    const save = (text: string, basedOn?: number) =>
      store.save(packageOf('alpha', { text }), { source: 'upload', by: 'ann', at: at(0), most: 9, basedOn });
    await save('first');
    await store.remove('alpha', { by: 'ann', at: at(0) });
    await store.deleteRemovedBefore(at(1));
    expect(await save('another', 0)).toBe('created');
    expect(await save('changed', 1)).toBe('outdated');
    expect(await save('changed', 2)).toBe('changed');
  });

  it('is recognised for as many things as were removed last', async () => {
    const most = 100_000;
    await sql
      .raw(
        `insert into former_versions (kind, address, version)
          select 'memory', 'a' || n, 1 from (${numbersUpTo(database, most)}) as numbers`,
      )
      .execute(database);
    const remove = (...addresses: string[]) =>
      database.transaction().execute((transaction) =>
        keepFormerVersions(
          transaction,
          'memory',
          addresses.map((address) => ({ address, version: 2 })),
        ),
      );
    const versions = () =>
      database.transaction().execute((transaction) => formerVersions(transaction, 'memory', ['a1', 'a2', 'a3', 'b']));
    await remove('a1', 'b');
    expect(Object.fromEntries(await versions())).toEqual({ a1: 2, a3: 1, b: 2 });
    expect(await database.selectFrom('former_versions').select('seq').execute()).toHaveLength(most);
  });
});
