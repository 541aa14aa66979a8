import { sql } from 'kysely';
import { growingPartsOf, learned, numbersUpTo, statementsOf } from '../../src/platform/database/plans.testing.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { memoryOn } from '../../src/features/memory/testing.js';
import { addToTextIndex, removeFromTextIndex } from '../../src/platform/text/text-index.js';
import { toIndexedText } from '../../src/platform/text/word-counts.rules.js';
import { InvalidCursor, toCursor } from '../../src/platform/paging/page-cursor.js';

const at = (day: number) => new Date(Date.UTC(2026, 0, 1 + day));
const client = 'ide';
const ANY_NAME = { prefix: '', limit: 9 };

describeEachDatabase('the memory', (open) => {
  const newMemory = async () => {
    const database = await open();
    return { database, ...memoryOn(database) };
  };

  it('keeps what a key says now, and what it said before', async () => {
    const { memory, sent } = await newMemory();
    await memory.save({ key: 'deploy-day', content: 'Tuesday', tags: ['Ops'], client }, at(0));
    const { outcome } = await memory.save(
      { key: 'deploy-day', content: 'Friday', importance: 5, client: 'agent', program: 'Editor' },
      at(1),
    );
    expect(outcome).toBe('updated');
    expect(await memory.get('shared', 'deploy-day', at(1))).toEqual({
      id: expect.any(Number) as number,
      namespace: 'shared',
      key: 'deploy-day',
      content: 'Friday',
      tags: ['ops'],
      importance: 5,
      client: 'agent',
      program: 'Editor',
      version: 2,
      createdAt: at(0),
      updatedAt: at(1),
      expiresAt: null,
    });
    expect(await memory.history('shared', 'deploy-day', at(1))).toEqual([
      { version: 1, content: 'Tuesday', tags: ['ops'], importance: 3, client: 'ide', program: null, savedAt: at(0) },
    ]);
    expect(sent.map(([, event]) => event)).toMatchObject([{ change: 'created' }, { change: 'updated' }]);
  });

  it.each([
    toCursor('2026-01-01T00:00:00.000Z', '"x"'),
    toCursor('2026-01-01T00:00:00.000Z', '1e400'),
    toCursor('2026-01-01T00:00:00.000Z', '9007199254740993'),
    toCursor('\0', '1'),
    toCursor('\ud800', '1'),
    toCursor('1'),
    '',
  ])('refuses the cursor %s', async (cursor) => {
    const { memory } = await newMemory();
    await memory.save({ key: 'k', content: 'text', client });
    await expect(memory.listPage({ limit: 2, cursor })).rejects.toThrow(InvalidCursor);
  });

  it('keeps 50 versions of an entry', async () => {
    const { memory } = await newMemory();
    for (let n = 0; n <= 60; n += 1) await memory.save({ key: 'k', content: `text ${n}`, client });
    const history = await memory.history('shared', 'k');
    expect([history.length, history[0]?.content, history.at(-1)?.content]).toEqual([50, 'text 59', 'text 10']);
    expect(await memory.search({ query: 'text', limit: 5 })).toHaveLength(1);
  });

  it('saves what another key already says, and reports it', async () => {
    const { memory, sent } = await newMemory();
    const first = await memory.save({ key: 'a', content: 'Deploys are on  Friday.', client }, at(0));
    expect(first).toMatchObject({ outcome: 'created', twin: null });
    const second = await memory.save({ key: 'b', content: 'Deploys are on Friday.', expiresInDays: 1, client }, at(0));
    expect(second).toMatchObject({ outcome: 'created', entry: { key: 'b' }, twin: { key: 'a' } });
    expect(await memory.find('shared', 'b', at(0))).toMatchObject({ content: 'Deploys are on Friday.' });
    const third = await memory.save({ key: 'a', content: 'Deploys are on  Friday.', client }, at(0));
    expect(third).toMatchObject({ outcome: 'unchanged', twin: { key: 'b' } });
    const later = await memory.save({ key: 'a', content: 'Deploys are on  Friday.', client }, at(2));
    expect(later).toMatchObject({ outcome: 'unchanged', twin: null });
    const other = await memory.save({ key: 'b', content: 'Deploys are on Friday.', namespace: 'x', client }, at(0));
    expect(other).toMatchObject({ outcome: 'created', twin: null });
    expect(sent).toHaveLength(3);
  });

  it('sets a key to what another key says already', async () => {
    const { memory } = await newMemory();
    await memory.save({ key: 'meeting-day', content: 'Tuesday', client });
    await memory.save({ key: 'standup-day', content: 'Monday', client });
    expect(await memory.save({ key: 'standup-day', content: 'Tuesday', client })).toMatchObject({
      ...{ outcome: 'updated', entry: { content: 'Tuesday', version: 2 }, twin: { key: 'meeting-day' } },
    });
    await memory.save({ key: 'utc-offset', content: '-5 hours', client });
    expect(await memory.save({ key: 'shift', content: '5 hours', client })).toMatchObject({ twin: null });
  });

  it('keeps an entry forever that was first saved with an expiry, with its importance and tags', async () => {
    const { memory } = await newMemory();
    const content = 'The office closes at six';
    await memory.save({ key: 'for-now', content, tags: ['office'], expiresInDays: 1, client }, at(0));
    const { twin } = await memory.save({ key: 'for-ever', content, importance: 5, tags: ['hours'], client }, at(0));
    expect(twin).toMatchObject({ key: 'for-now', expiresAt: at(1) });
    await memory.deleteExpired(at(2));
    expect(await memory.get('shared', 'for-ever', at(2))).toMatchObject({
      ...{ importance: 5, tags: ['hours'], expiresAt: null },
    });
    expect(await memory.search({ query: 'office', limit: 5 }, at(2))).toHaveLength(1);
  });

  it('forgets what has expired, also before it is cleaned up', async () => {
    const { memory, sent } = await newMemory();
    await memory.save({ key: 'k', content: 'for a day', expiresInDays: 1, client }, at(0));
    expect(await memory.find('shared', 'k', at(0.5))).toMatchObject({ expiresAt: at(1) });
    expect(await memory.find('shared', 'k', at(1))).toBeUndefined();
    expect((await memory.listByKey({ limit: 5 }, at(1))).items).toEqual([]);
    expect((await memory.listPage({ limit: 5 }, at(1))).items).toEqual([]);
    expect(await memory.search({ query: 'day', limit: 5 }, at(1))).toEqual([]);
    expect([await memory.listKeys(ANY_NAME, at(1)), await memory.listNamespaces(ANY_NAME, at(1))]).toEqual([[], []]);
    const again = await memory.save({ key: 'k', content: 'anew', client }, at(2));
    expect(again).toMatchObject({ outcome: 'created', entry: { version: 2 } });
    expect(await memory.history('shared', 'k', at(2))).toEqual([]);
    expect(sent.map(([, event]) => event)).toMatchObject([
      { change: 'created' },
      { change: 'removed' },
      { change: 'created' },
    ]);
  });

  it('deletes any number of expired entries, and announces each', async () => {
    const { database, memory, sent } = await newMemory();
    for (let number = 0; number < 450; number += 1)
      await memory.save({ key: `k${number}`, content: `note ${number}`, expiresInDays: 1, client }, at(0));
    await memory.save({ key: 'kept', content: 'for longer', expiresInDays: 3, client }, at(0));
    sent.length = 0;
    await memory.deleteExpired(at(2));
    expect(sent.map(([, event]) => (event as { key: string }).key).sort()).toEqual(
      Array.from({ length: 450 }, (_, number) => `k${number}`).sort(),
    );
    expect(await database.selectFrom('memory_entries').select('key').execute()).toEqual([{ key: 'kept' }]);
  });

  it('ends a search whose caller has left', async () => {
    const { memory } = await newMemory();
    await memory.save({ key: 'k', content: 'some words', client });
    const searching = memory.search({ query: 'words', limit: 5, signal: AbortSignal.abort(new Error('left')) });
    await expect(searching).rejects.toThrow('left');
  });

  it('lists by namespace and key, page by page', async () => {
    const { memory } = await newMemory();
    for (const [namespace, key] of [
      ['b', 'x'],
      ['a', 'y'],
      ['a', 'x'],
    ] as const) {
      await memory.save({ namespace, key, content: `${namespace} ${key}`, client });
    }
    const first = await memory.listByKey({ limit: 2 });
    const second = await memory.listByKey({ limit: 2, cursor: first.nextCursor ?? '' });
    expect([...first.items, ...second.items].map(({ content }) => content)).toEqual(['a x', 'a y', 'b x']);
    expect(second.nextCursor).toBeNull();
    expect([
      await memory.listKeys({ ...ANY_NAME, prefix: 'x', namespace: 'b' }),
      await memory.listKeys({ ...ANY_NAME, namespace: 'a' }),
    ]).toEqual([['x'], ['x', 'y']]);
  });

  it('ranks by fit, importance and age', async () => {
    const { memory } = await newMemory();
    await memory.save({ key: 'old', content: 'the deploy server is alpha', client }, at(0));
    await memory.save({ key: 'new', content: 'the deploy server is beta', client }, at(100));
    await memory.save({ key: 'vital', content: 'the deploy server is gamma', importance: 5, client }, at(50));
    await memory.save({ key: 'other', content: 'lunch is at noon', importance: 5, client }, at(100));
    const keys = async (query: string) =>
      (await memory.search({ query, limit: 3 }, at(100))).map(({ entry }) => entry.key);
    expect(await keys('deploy server')).toEqual(['vital', 'new', 'old']);
    expect(await keys('old')).toEqual(['old']);
  });

  it('finds the first text in another language at once, among hundreds in English', async () => {
    const { memory } = await newMemory();
    for (let n = 0; n < 200; n += 1) await memory.save({ key: `note-${n}`, content: `Note ${n} of the team`, client });
    const find = async (query: string) => (await memory.search({ query, limit: 5 })).map(({ entry }) => entry.key);
    expect(await find('Überweisungen')).toEqual([]);
    const content =
      'Die Überweisungen an unsere Lieferanten werden jeden Freitag von der Buchhaltung vorbereitet und müssen bis zum Mittag ' +
      'von zwei Personen freigegeben werden, sonst gehen sie erst in der folgenden Woche hinaus.';
    await memory.save({ key: 'note-7', content, client });
    expect(await find('Überweisungen')).toEqual(['note-7']);
  });

  it('finds what has the tags among many better matches without', async () => {
    const { memory } = await newMemory();
    const content = 'Before you deploy the shop, ask Ada for the keys of the old cluster.';
    await memory.save({ key: 'rollback', content, tags: ['Ops', 'shop'], client }, at(0));
    for (let n = 0; n < 250; n += 1)
      await memory.save({ key: `k${n}`, content: `Deploy ${n}`, tags: ['ops'], client }, at(0));
    const find = async (...tags: string[]) =>
      (await memory.search({ query: 'deploy', tags, limit: 5 }, at(0))).map(({ entry }) => entry.key);
    expect(await find('shop', 'OPS')).toEqual(['rollback']);
    expect(await find('ops')).toHaveLength(5);
    expect(await find('shop', 'other')).toEqual([]);
  });

  it('indexes again what an earlier version indexed without the tags', async () => {
    const { memory, database } = await newMemory();
    const { entry } = await memory.save({ key: 'k', content: 'Deploys are on Friday.', tags: ['ops'], client }, at(0));
    const { id } = await database.selectFrom('memory_entries').select('id').executeTakeFirstOrThrow();
    await removeFromTextIndex(database, 'memory_index', id);
    const fields = { title: 'k', context: 'ops', body: 'friday' };
    await addToTextIndex(database, 'memory_index', [{ id, ...toIndexedText(fields, 'en', []) }]);
    const search = () => memory.search({ query: 'friday', tags: ['ops'], limit: 5 }, at(0));
    expect(await search()).toEqual([]);
    await memory.indexMissing();
    expect(await search()).toMatchObject([{ entry }]);
  });

  it('lists by a whole tag, not by a part of one that has quotes or commas', async () => {
    const { memory } = await newMemory();
    await memory.save({ key: 'parts', content: 'x', tags: ['b"a', 'b,"a', 'c","a"'], client }, at(0));
    await memory.save({ key: 'whole', content: 'x', tags: ['0', 'a'], client }, at(1));
    const listed = async (tag: string) => (await memory.listPage({ limit: 9, tag })).items.map(({ key }) => key);
    expect([await listed('a'), await listed('0'), await listed('b"a'), await listed('b,"a')]).toEqual([
      ['whole'],
      ['whole'],
      ['parts'],
      ['parts'],
    ]);
  });

  it('lists by pages, by namespace and by tag', async () => {
    const { memory } = await newMemory();
    for (const n of [1, 2, 3]) {
      const tags = n === 2 ? ['a_b%'] : ['axb'];
      await memory.save({ key: `k${n}`, content: `t${n}`, namespace: n === 3 ? 'b' : 'a', tags, client }, at(n));
    }
    const first = await memory.listPage({ limit: 2 });
    const second = await memory.listPage({ limit: 2, cursor: first.nextCursor ?? '' });
    expect([...first.items, ...second.items].map(({ key }) => key)).toEqual(['k3', 'k2', 'k1']);
    expect((await memory.listPage({ limit: 9, namespace: 'a' })).items).toHaveLength(2);
    expect((await memory.listPage({ limit: 9, tag: 'A_B%' })).items.map(({ key }) => key)).toEqual(['k2']);
    expect([await memory.listNamespaces(ANY_NAME), await memory.listKeys({ prefix: 'k', limit: 9 })]).toEqual([
      ['a', 'b'],
      ['k1', 'k2', 'k3'],
    ]);
    expect([
      await memory.listNamespaces({ prefix: '', limit: 1 }),
      await memory.listKeys({ prefix: 'k', limit: 2 }),
    ]).toEqual([['a'], ['k1', 'k2']]);
  });

  it('counts the entries of every namespace, however many there are', async () => {
    const { memory } = await newMemory();
    expect(await memory.listNamespaceSizes()).toEqual([{ namespace: 'shared', entries: 0 }]);
    for (let n = 100; n < 220; n += 1) await memory.save({ namespace: `team-${n}`, key: 'k', content: 'x', client });
    await memory.save({ namespace: 'team.a', key: 'k', content: 'x', client });
    await memory.save({ namespace: 'a', key: 'k', content: 'for a day', expiresInDays: 1, client }, at(0));
    await memory.save({ namespace: 'a', key: 'l', content: 'for ever', client }, at(0));
    const sizes = await memory.listNamespaceSizes(at(2));
    expect(sizes.slice(0, 3)).toEqual([
      { namespace: 'a', entries: 1 },
      { namespace: 'shared', entries: 0 },
      { namespace: 'team-100', entries: 1 },
    ]);
    expect([sizes.length, sizes.at(-1)?.namespace]).toEqual([123, 'team.a']);
    await memory.save({ key: 'k', content: 'x', client });
    await memory.save({ key: 'l', content: 'y', client });
    expect(await memory.listNamespaceSizes()).toContainEqual({ namespace: 'shared', entries: 2 });
  });

  it('loses no version when two save at once', async () => {
    const { memory } = await newMemory();
    await Promise.all([1, 2, 3, 4].map((n) => memory.save({ key: 'k', content: `text ${n}`, client })));
    const { version } = await memory.get('shared', 'k');
    expect([version, (await memory.history('shared', 'k')).length]).toEqual([4, 3]);
  });

  it('supersedes and removes only the version that the caller knows', async () => {
    const { memory } = await newMemory();
    await memory.save({ key: 'k', content: 'one', client, basedOn: 0 });
    await memory.save({ key: 'k', content: 'two', client: 'agent', basedOn: 1 });
    for (const basedOn of [0, 1, 3]) {
      await expect(memory.save({ key: 'k', content: 'three', client, basedOn })).rejects.toMatchObject({
        kind: 'outdated',
        present: { content: 'two', version: 2 },
        message: expect.stringContaining('it is version 2 now, saved by "agent"') as string,
      });
    }
    expect(await memory.save({ key: 'k', content: 'two', client, basedOn: 1 })).toMatchObject({ outcome: 'unchanged' });
    await expect(memory.remove('shared', 'k', 1)).rejects.toThrow('has changed since version 1');
    await memory.remove('shared', 'k', 2);
    await expect(memory.remove('shared', 'k', 2)).rejects.toThrow('nothing is remembered');
    await expect(memory.save({ key: 'k', content: 'three', client, basedOn: 2 })).rejects.toThrow(
      'nothing is remembered',
    );
  });

  it('removes an entry with its history, and fails for a missing one', async () => {
    const { memory, database } = await newMemory();
    for (const content of ['one', 'two']) await memory.save({ key: 'k', content, client });
    await memory.remove('shared', 'k');
    expect(await database.selectFrom('memory_history').select('version').execute()).toEqual([]);
    await expect(memory.remove('shared', 'k')).rejects.toThrow('memory_search');
    expect(await memory.search({ query: 'two', limit: 5 })).toEqual([]);
  });

  it.each([
    [{ key: 'Bad Key', content: 'x' }, 'key must be a name such as'],
    [{ key: 'k', content: 'x', namespace: '../x' }, 'namespace must be a name such as'],
    [{ key: 'k', content: ' \0 ' }, 'content must not be empty'],
  ])('refuses %j', async (input, message) => {
    const { memory } = await newMemory();
    await expect(memory.save({ ...input, client })).rejects.toThrow(message);
  });
});

describeEachDatabase('the lists of a large memory', (open) => {
  it('read no more entries than they have, and no texts for names', async () => {
    const database = await open();
    const { memory } = memoryOn(database);
    const numbers = numbersUpTo(database, 5_000);
    await sql
      .raw(
        `insert into memory_entries (namespace, key, content, content_hash, tags, importance, client, version, created_at, updated_at, expires_at)
         select 'n' || (n % 3), 'k' || n, 'c', 'h', '[]', 1, 'ada', 1, '2026', '2026-01-01T0' || (n / 1000) || ':00:00.000Z',
           case when n % 2 = 0 then '2099' end from (${numbers}) as numbers`,
      )
      .execute(database);
    await learned(database);
    const now = at(0);
    const pages = await statementsOf(async () => {
      const { nextCursor } = await memory.listPage({ limit: 10 }, now);
      await memory.listPage({ limit: 10, cursor: nextCursor ?? '' }, now);
      await memory.listPage({ limit: 10, namespace: 'n1' }, now);
      await memory.listByKey({ limit: 10 }, now);
    });
    expect(pages).toHaveLength(4);
    for (const statement of pages) {
      const growing = await growingPartsOf(database, statement, 40);
      expect(growing.filter((part) => !/^SCAN memory_entries USING INDEX \w+$/.test(part))).toEqual([]);
    }
    const names = await statementsOf(async () => {
      expect(await memory.listNamespaceSizes(now)).toHaveLength(4);
      expect(await memory.listKeys({ prefix: 'k1', limit: 3 }, now)).toEqual(['k1', 'k10', 'k100']);
      expect(await memory.listNamespaces({ prefix: 'n', limit: 9 }, now)).toEqual(['n0', 'n1', 'n2']);
    });
    for (const statement of names) {
      const growing = await growingPartsOf(database, statement, 5_000);
      const ofNames = /COVERING INDEX memory_entries_names|^USE TEMP B-TREE FOR (DISTINCT|ORDER BY)$/;
      expect(growing.filter((part) => !ofNames.test(part))).toEqual([]);
    }
  });
});
