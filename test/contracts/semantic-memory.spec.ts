import { jest } from '@jest/globals';
import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/database.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { memoryOn } from '../../src/features/memory/testing.js';
import { toEmbedding } from '../../src/features/semantic/models/embedding.rules.js';
import { semanticAt } from '../../src/features/semantic/testing.js';
import { Random } from '../fuzz/random.js';
import { EmbeddingsServer, vectorOf } from '../support/embeddings-server.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const client = 'ide';
const days = (count: number) => new Date(NOW.getTime() + count * 86_400_000);

describeEachDatabase('search of the memory by meaning', (open) => {
  let server: EmbeddingsServer;
  EmbeddingsServer.forEachTest((started) => (server = started));

  async function memoryWithModel(database: Database) {
    const parts = await semanticAt(database, server.url);
    await parts.settings.set('memory.embeddings', 'any');
    return { ...parts, ...memoryOn(database, parts.meaning) };
  }

  type World = Awaited<ReturnType<typeof memoryWithModel>>;
  const embed = ({ embedder }: World) => embedder.tick(() => NOW);
  const keys = async ({ memory }: World, query: string, namespace?: string, now = NOW) =>
    (await memory.search({ query, namespace, limit: 5 }, now)).map(({ entry }) => entry.key);
  const vectorsOf = async ({ database }: World) => {
    const { rows } = await sql<{ entry_id: number; vector: Uint8Array }>`
      select entry_id, vector from memory_vectors order by entry_id`.execute(database);
    return new Map(rows.map(({ entry_id: id, vector }) => [id, [...new Int8Array(vector)]]));
  };

  async function filled() {
    const world = await memoryWithModel(await open());
    await world.memory.save({ key: 'parking', content: 'Every car needs a permit.', client }, NOW);
    await world.memory.save({ key: 'time-off', content: 'Ask for holidays two weeks ahead.', client }, NOW);
    await world.memory.save({ key: 'accounts', content: 'Send the invoice by post.', namespace: 'team', client }, NOW);
    await embed(world);
    return world;
  }

  it('finds what is said in other words', async () => {
    const world = await filled();
    expect((await keys(world, 'automobile'))[0]).toBe('parking');
    expect((await keys(world, 'vacation'))[0]).toBe('time-off');
    const { collections } = await world.report.make();
    expect(collections).toContainEqual({ name: 'memory', isOn: true, items: 3, embedded: 3 });
  });

  it.each([
    ['after the clock was ahead', true],
    ['by a replica whose clock is an hour behind', false],
  ])('finds what was embedded %s', async (_, isSetBack) => {
    const aheadMs = 60 * 60_000;
    const world = await memoryWithModel(await open());
    const save = (key: string, content: string) => world.memory.save({ key, content, client }, NOW);
    const clock = jest.spyOn(Date, 'now');
    await save('time-off', 'Ask for holidays two weeks ahead.');
    clock.mockReturnValue(NOW.getTime() + aheadMs);
    await world.embedder.tick(() => new Date(NOW.getTime() + aheadMs));
    expect(await keys(world, 'vacation')).toEqual(['time-off']);
    await save('parking', 'Every car needs a permit.');
    if (isSetBack) clock.mockReturnValue(NOW.getTime());
    await embed(world);
    expect((await keys(world, 'automobile'))[0]).toBe('parking');
    clock.mockRestore();
  });

  it('embeds a query again when another model has replaced one of the same name', async () => {
    const world = await filled();
    expect((await keys(world, 'automobile'))[0]).toBe('parking');
    server.dimensions = 512;
    await world.memory.save({ key: 'lunch', content: 'Lunch is at noon.', client }, NOW);
    await embed(world);
    await embed(world);
    expect((await keys(world, 'automobile'))[0]).toBe('parking');
  });

  it('finds only what has the tags, however many others are nearer', async () => {
    const world = await memoryWithModel(await open());
    const permit = 'Every car needs a permit.';
    for (let n = 0; n < 60; n += 1) await world.memory.save({ key: `k${n}`, content: permit, client }, NOW);
    await world.memory.save({ key: 'garage', content: 'The car is in the garage.', tags: ['ops'], client }, NOW);
    await world.memory.save({ key: 'lunch', content: 'Lunch is at noon.', tags: ['ops'], client }, NOW);
    await embed(world);
    const hits = await world.memory.search({ query: 'automobile', tags: ['ops'], limit: 5 }, NOW);
    expect(hits.map(({ entry }) => entry.key)).toEqual(['garage']);
  });

  it('puts first what has the words and the meaning', async () => {
    const world = await filled();
    await world.memory.save({ key: 'diary', content: 'On holidays we took the vehicle to the sea.', client }, NOW);
    await embed(world);
    expect((await keys(world, 'holidays'))[0]).toBe('time-off');
    expect((await keys(world, 'vehicle')).slice(0, 2).sort()).toEqual(['diary', 'parking']);
  });

  it('takes a quoted phrase literally, and finds nothing without a word', async () => {
    const world = await filled();
    expect(await keys(world, '"automobile"')).toEqual([]);
    expect(await keys(world, '???')).toEqual([]);
  });

  it('stays in the namespace', async () => {
    const world = await filled();
    expect(await keys(world, 'bill', 'team')).toEqual(['accounts']);
    expect(await keys(world, 'bill', 'shared')).not.toContain('accounts');
    expect(await keys(world, 'bill', 'empty')).toEqual([]);
  });

  it('finds the few entries of a namespace among many others that are nearer', async () => {
    const world = await memoryWithModel(await open());
    await world.memory.save(
      { key: 'mine', content: 'The voiture of the team is red.', namespace: 'team', client },
      NOW,
    );
    for (let number = 0; number < 450; number += 1) {
      await world.memory.save({ key: `car-${number}`, content: 'vehicle', client }, NOW);
    }
    await embed(world);
    expect(await keys(world, 'automobile', 'team')).toEqual(['mine']);
  });

  it('does not find what has expired, deleted or not', async () => {
    const world = await memoryWithModel(await open());
    await world.memory.save({ key: 'parking', content: 'Every car needs a permit.', expiresInDays: 1, client }, NOW);
    await embed(world);
    expect(await keys(world, 'automobile', undefined, days(0.9))).toEqual(['parking']);
    expect(await keys(world, 'automobile', undefined, days(1))).toEqual([]);
    await world.memory.deleteExpired(days(1));
    expect([...(await vectorsOf(world)).keys()]).toEqual([]);
  });

  it('forgets the vector with the entry', async () => {
    const world = await filled();
    await world.memory.remove('shared', 'parking');
    expect((await vectorsOf(world)).size).toBe(2);
    expect(await keys(world, 'automobile')).not.toContain('parking');
  });

  it('forgets at once what an entry said before', async () => {
    const world = await filled();
    await world.memory.save({ key: 'parking', content: 'Send it by post.', client }, NOW);
    expect(await keys(world, 'automobile')).not.toContain('parking');
    await embed(world);
    await world.memory.save({ key: 'parking', content: 'Leave is over.', client }, NOW);
    await embed(world);
    expect((await keys(world, 'vacation')).slice(0, 2).sort()).toEqual(['parking', 'time-off']);
  });

  it('finds an entry that was embedded again while another search missed it', async () => {
    const world = await filled();
    const { vectors } = world;
    const list = vectors.list.bind(vectors);
    vectors.list = async (...given) => {
      vectors.list = list;
      await world.memory.save({ key: 'parking', content: 'Every car needs a badge.', client }, days(1));
      const found = await list(...given);
      await embed(world);
      expect((await keys(world, 'automobile', undefined, days(1)))[0]).toBe('parking');
      return found;
    };
    await keys(world, 'vacation', undefined, days(1));
    expect((await keys(world, 'automobile', undefined, days(1)))[0]).toBe('parking');
  });

  it('saves no vector of a text that changes while it is embedded', async () => {
    const world = await memoryWithModel(await open());
    await world.memory.save({ key: 'note', content: 'Every car needs a permit.', client }, NOW);
    server.meanwhile = () => world.memory.save({ key: 'note', content: 'Ask for holidays.', client }, NOW);
    await embed(world);
    await embed(world);
    const [vector] = (await vectorsOf(world)).values();
    expect(vector).toEqual(expectedVector('note', 'Ask for holidays.'));
  });

  it('gives nothing to another server unless it may have it', async () => {
    const world = await memoryWithModel(await open());
    await world.memory.save({ key: 'parking', content: 'Every car needs a permit.', client }, NOW);
    for (const given of ['builtin', 'off']) {
      await world.settings.set('memory.embeddings', given);
      await embed(world);
      expect(await keys(world, 'automobile')).toEqual([]);
    }
    expect(server.texts).toEqual([]);
    const { collections } = await world.report.make();
    expect(collections).toContainEqual({ name: 'memory', isOn: false, items: 0, embedded: 0 });
  });

  it.each([1, 2, 3])('has, after whatever happened, the vector of each text and no other (seed %d)', async (seed) => {
    const random = new Random(seed);
    const world = await memoryWithModel(await open());
    const words = ['car', 'holiday', 'invoice', 'sea', 'red', 'late'];
    const texts = new Map<string, string>();
    const act = async () => {
      const key = `k${random.integer(0, 12)}`;
      if (random.chance(0.25) && texts.delete(key)) return world.memory.remove('shared', key);
      const content = Array.from({ length: 3 }, () => words[random.integer(0, words.length)] ?? '').join(' ');
      texts.set(key, content);
      return world.memory.save({ key, content, client }, NOW);
    };
    for (let step = 0; step < 40; step += 1) {
      await act();
      if (random.chance(0.66)) continue;
      server.meanwhile = act;
      await embed(world);
    }
    server.meanwhile = null;
    await embed(world);
    await embed(world);
    const entries = (await world.memory.listByKey({ limit: 50 }, NOW)).items as { id?: number; key: string }[];
    const vectors = await vectorsOf(world);
    expect(entries.map(({ key }) => key).sort()).toEqual([...texts.keys()].sort());
    expect(vectors.size).toBe(texts.size);
    for (const { id = 0, key } of entries) {
      expect([key, vectors.get(id)]).toEqual([key, expectedVector(key, texts.get(key) ?? '')]);
    }
  });
});

const expectedVector = (key: string, content: string): number[] => [
  ...(toEmbedding(vectorOf(`${key}\n\n${content}`, 'small'))?.values ?? []),
];
