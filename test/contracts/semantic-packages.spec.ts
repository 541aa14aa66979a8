import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/database.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { packageOf, packagesOn } from '../../src/features/packages/testing.js';
import { toEmbedding } from '../../src/features/semantic/models/embedding.rules.js';
import { semanticAt } from '../../src/features/semantic/testing.js';
import { Random } from '../fuzz/random.js';
import { EmbeddingsServer, vectorOf } from '../support/embeddings-server.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const LATER = new Date(NOW.getTime() + 1);
const by = 'ann';

const skillFile = (name: string, body: string) => `---\nname: ${name}\ndescription: About ${name}.\n---\n${body}\n`;
const packageSaying = (name: string, body: string) => packageOf(name, { 'SKILL.md': skillFile(name, body) });
const vectorOfPackage = (name: string, body: string): number[] => [
  ...(toEmbedding(vectorOf(`${name} About ${name}. ${body}`, 'small'))?.values ?? []),
];

describeEachDatabase('search of skill packages by meaning', (open) => {
  let server: EmbeddingsServer;
  EmbeddingsServer.forEachTest((started) => (server = started));

  /** A second one on the same database acts as a replica, or as the service after a restart. */
  async function worldOn(database: Database) {
    const semantic = await semanticAt(database, server.url);
    const parts = await packagesOn(database, semantic.meaning);
    const save = (name: string, body: string) => parts.packages.saveUpload(packageSaying(name, body), by);
    return { ...semantic, save, ...parts };
  }

  type World = Awaited<ReturnType<typeof worldOn>>;
  let seconds = 0;
  const embed = ({ embedder }: World) => embedder.tick(() => new Date(NOW.getTime() + (seconds += 1) * 1_000));
  const vectorsIn = async ({ database }: World) => {
    const { rows } = await sql<{ name: string; vector: Uint8Array }>`select name, vector
      from skill_package_vectors join skill_packages on id = package_id order by name`.execute(database);
    return new Map(rows.map(({ name, vector }) => [name, [...new Int8Array(vector)]]));
  };

  async function filled() {
    const world = await worldOn(await open());
    await world.save('parking', 'Every car needs a permit.');
    await world.save('time-off', 'Ask for holidays two weeks ahead.');
    await world.save('accounts', 'Send the invoice by post.');
    await embed(world);
    return world;
  }

  it('finds what shares no word with the question, on each replica', async () => {
    const world = await filled();
    const replica = await worldOn(world.database);
    for (const { namesFor } of [world, replica]) {
      expect(await namesFor('automobile')).toEqual(['parking']);
      expect((await namesFor('vacation'))[0]).toBe('time-off');
    }
    expect((await world.report.make()).collections).toEqual([{ name: 'packages', isOn: true, items: 3, embedded: 3 }]);
  });

  it('takes a quoted phrase literally, finds nothing without a word, and by words alone when it is off', async () => {
    const { namesFor, settings } = await filled();
    expect([await namesFor('"automobile"'), await namesFor('???')]).toEqual([[], []]);
    await settings.set('knowledge.embeddings_model', '');
    expect([await namesFor('automobile'), await namesFor('permit')]).toEqual([[], ['parking']]);
  });

  it('says when it went by words only, because the model does not answer', async () => {
    const { search } = await filled();
    server.refusal = { status: 503 };
    const lacks = new Set<never>();
    expect(await search.search({ query: 'vehicle permit', limit: 5, lacks })).toHaveLength(1);
    expect([...lacks]).toEqual(['model-failed']);
  });

  it('finds no disabled and no removed package, and deletes the vector for good with the package', async () => {
    const world = await filled();
    const { packages, namesFor, store } = world;
    await packages.setEnabled('parking', false, by);
    expect(await namesFor('automobile')).not.toContain('parking');
    await packages.setEnabled('parking', true, by);
    expect(await namesFor('automobile')).toContain('parking');
    await packages.remove('parking', by, NOW);
    expect(await namesFor('automobile')).not.toContain('parking');
    await store.deleteRemovedBefore(LATER);
    expect([...(await vectorsIn(world)).keys()]).toEqual(['accounts', 'time-off']);
  });

  it('forgets at once what a version said before', async () => {
    const world = await filled();
    await world.save('parking', 'Send it by post.');
    expect(await world.namesFor('automobile')).not.toContain('parking');
    await embed(world);
    await world.packages.setCurrent('parking', 1, by);
    expect([...(await vectorsIn(world)).keys()]).not.toContain('parking');
    await embed(world);
    expect(await world.namesFor('automobile')).toContain('parking');
  });

  it('finds one package among many disabled ones that are nearer', async () => {
    const world = await worldOn(await open());
    await world.save('mine', 'The voiture of the team is red.');
    for (let number = 0; number < 60; number += 1) {
      await world.save(`car-${number}`, 'vehicle');
      await world.packages.setEnabled(`car-${number}`, false, by);
    }
    await embed(world);
    expect(await world.namesFor('automobile')).toEqual(['mine']);
  });

  it('embeds the rest after a restart in the middle of it, and nothing twice', async () => {
    const world = await worldOn(await open());
    const names = Array.from({ length: 40 }, (_, number) => `skill-${number}`);
    for (const name of names) await world.save(name, 'Do it.');
    server.meanwhile = async () => {
      server.meanwhile = async () => void (server.refusal = { status: 503 });
    };
    await embed(world);
    const before = (await vectorsIn(world)).size;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(40);
    server.refusal = null;
    await embed(await worldOn(world.database));
    expect((await vectorsIn(world)).size).toBe(40);
    expect(server.texts).toHaveLength(40);
  });

  it.each([1, 2, 3])('has, after whatever happened, the vector of each text and no other (seed %d)', async (seed) => {
    const random = new Random(seed);
    const database = await open();
    let world = await worldOn(database);
    const words = ['car', 'holiday', 'invoice', 'sea', 'red', 'late'];
    /** The texts of the versions of each package, and which is current. */
    const model = new Map<string, { bodies: string[]; current: number; isRemoved: boolean }>();
    /** The number of versions of packages that were permanently deleted. */
    const former = new Map<string, number>();
    const deleted = (name: string) => {
      former.set(name, (former.get(name) ?? 0) + (model.get(name)?.bodies.length ?? 0));
      model.delete(name);
    };
    const act = async () => {
      const name = `k${random.integer(0, 6)}`;
      const known = model.get(name);
      const kind = random.integer(0, 6);
      if (known?.isRemoved && kind === 0) {
        known.isRemoved = false;
        return world.packages.restore(name, by, NOW);
      }
      if (known?.isRemoved && kind === 1) {
        for (const [other, { isRemoved }] of model) if (isRemoved) deleted(other);
        return world.store.deleteRemovedBefore(LATER);
      }
      if (known && !known.isRemoved && kind === 2) {
        known.isRemoved = true;
        return world.packages.remove(name, by, NOW);
      }
      if (known && !known.isRemoved && kind === 3) {
        known.current = random.integer(0, known.bodies.length);
        return world.packages.setCurrent(name, (former.get(name) ?? 0) + known.current + 1, by);
      }
      const body = [...Array.from({ length: 3 }, () => words[random.integer(0, words.length)]), ''].join(' ').trim();
      const isSame = known && known.bodies[known.current] === body;
      const bodies = isSame ? known.bodies : [...(known?.bodies ?? []), body];
      model.set(name, { bodies, current: isSame ? known.current : bodies.length - 1, isRemoved: false });
      return world.save(name, body);
    };
    for (let step = 0; step < 50; step += 1) {
      await act();
      if (random.chance(0.1)) world = await worldOn(database);
      if (random.chance(0.5)) continue;
      server.meanwhile = act;
      await embed(world);
      server.meanwhile = null;
      await embed(world);
      const expected = [...model].map(([name, { bodies, current }]): [string, number[]] => [
        name,
        vectorOfPackage(name, bodies[current] ?? ''),
      ]);
      expect(Object.fromEntries(await vectorsIn(world))).toEqual(Object.fromEntries(expected));
    }
  });
});
