import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { Random } from './fuzz/random.js';
import { describeOnEachDatabase } from './support/databases.js';
import { TestService } from './support/service.js';

const STEPS = 400;
const RESTART_EVERY = 100;
const TITLES = ['Plan', 'Rota', 'Deploy day'];

/** A document in the model: the texts of its versions, oldest first. */
interface Model {
  title: string;
  texts: readonly string[];
}

describeOnEachDatabase('removed documents', (data) => {
  let service: TestService;
  let client: Client;

  const restart = async () => {
    await client.close();
    service = await service.restart();
    client = await service.connect();
  };
  beforeAll(async () => {
    service = await TestService.start({ env: data.env });
    client = await service.connect();
  });
  afterAll(() => service.stop());

  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, structuredContent, isError = false } = await service.call(name, args);
    return { isError, text: content[0]?.text ?? '', id: (structuredContent?.['id'] as string | undefined) ?? '' };
  };
  const trash = async () => {
    const { body } = await service.admin('GET', 'knowledge-trash?limit=200');
    return body['items'] as { id: string; documentId: string; title: string; versions: number }[];
  };

  it('are restored by one call, and nobody finds them until then', async () => {
    await call('knowledge_save', { title: 'Zebra crossing', content: 'Look left.', tags: ['zebra-tag'] });
    await call('knowledge_save', { id: 'zebra-crossing', content: 'Look right, zebracorn.' });
    const uri = 'knowledge://documents/zebra-crossing';
    expect(await call('knowledge_remove', { uri })).toMatchObject({
      text: `Removed ${uri}. For 30 days, knowledge_restore brings it back with its history.`,
    });
    for (const address of [uri, `${uri}/history`, `${uri}/history/1`, `${uri}#passage-1`]) {
      await expect(client.readResource({ uri: address })).rejects.toThrow('Resource not found');
    }
    const shown = async () => [
      JSON.stringify(await client.listResources()),
      (await call('knowledge_search', { query: 'zebracorn' })).text,
      (await call('knowledge_search', { tags: ['zebra-tag'] })).text,
      (await call('knowledge_search', {})).text,
      ...(await Promise.all(
        [
          ...['knowledge', 'knowledge?q=zebracorn', 'knowledge?tag=zebra-tag', 'knowledge/export'],
          ...['knowledge-documents/matching?q=zebracorn', 'knowledge-documents/tags'],
        ].map(async (path) => JSON.stringify((await service.admin('GET', path)).body)),
      )),
    ];
    for (const text of await shown()) expect(text).not.toMatch(/zebra-crossing|zebra-tag/);

    expect((await call('knowledge_restore', { id: 'nothing' })).text).toContain(
      `there is no removed document "nothing": it has been restored or deleted for good, or was never removed. ` +
        `Removed last: ${uri} ("Zebra crossing", `,
    );
    expect((await call('knowledge_restore', {})).text).toContain(
      `uri is missing: give the uri that the removed document had. Removed last: ${uri} ("Zebra crossing", `,
    );
    expect((await call('knowledge_restore', { uri: `${uri}#passage-1` })).text).toContain('names one passage');
    expect(await call('knowledge_restore', { uri })).toMatchObject({
      isError: false,
      text: `Restored "Zebra crossing" at ${uri} (id zebra-crossing, version 2, earlier versions: 1).`,
    });
    for (const text of await shown()) expect(text).toMatch(/zebra-crossing|zebra-tag/);
    expect((await client.readResource({ uri: `${uri}/history/1` })).contents).toMatchObject([{ text: 'Look left.' }]);
    await service.admin('DELETE', 'knowledge/zebra-crossing');
    await service.admin('DELETE', `knowledge-trash/${(await trash())[0]?.id}`);
  });

  it('say when another document has their address or their path', async () => {
    const files = (content: string) => ({ files: [{ path: 'docs/zoo.md', content }] });
    await service.admin('POST', 'knowledge/import', files('# Zoo\n\nFirst.'));
    await call('knowledge_remove', { id: 'zoo' });
    await service.admin('POST', 'knowledge/import', files('# Zoo\n\nSecond.'));
    expect((await call('knowledge_restore', { id: 'zoo' })).text).toBe(
      'Restored "Zoo" at knowledge://documents/zoo-2 (id zoo-2, version 1, earlier versions: 0). Another document has ' +
        'its former address knowledge://documents/zoo: compare them, and remove what is not needed. Imports of ' +
        'docs/zoo.md go on with another document.',
    );
    for (const id of ['zoo', 'zoo-2']) await service.admin('DELETE', `knowledge/${id}`);
    const [last, first] = await trash();
    expect((await service.admin('POST', `knowledge-trash/${last?.id}/restore`)).body).toMatchObject({
      ...{ id: 'zoo-2', formerId: 'zoo-2', uri: 'knowledge://documents/zoo-2', version: 1, path: null },
    });
    expect((await service.admin('GET', `knowledge-trash/${first?.id}`)).body).toMatchObject({
      ...{ documentId: 'zoo', content: '# Zoo\n\nSecond.', path: 'docs/zoo.md', removedBy: 'admin' },
    });
    await service.admin('DELETE', 'knowledge/zoo-2');
    for (const { id } of await trash()) await service.admin('DELETE', `knowledge-trash/${id}`);
    expect(await trash()).toEqual([]);
    const gone = await service.admin('POST', `knowledge-trash/${first?.id}/restore`);
    expect(gone).toMatchObject({ status: 404, body: { code: 'knowledge.removed_document_not_found' } });
  });

  it(`are kept as a plain model keeps them, in ${STEPS} steps with restarts`, async () => {
    const random = new Random(31);
    const documents = new Map<string, Model>();
    /** By trash id. */
    const removed = new Map<string, Model & { documentId: string }>();
    const counts = { saved: 0, updated: 0, removed: 0, restored: 0, moved: 0, purged: 0, refused: 0 };
    /** Text by address and version: a version never changes its text. */
    const textOf = new Map<string, string | undefined>();
    let texts = 0;

    const freeId = (id: string) => {
      const ids = [id, ...Array.from({ length: 200 }, (_, n) => `${id}-${n + 2}`)];
      return ids.find((one) => !documents.has(one)) ?? id;
    };
    const remove = async (id: string) => {
      const answer = random.chance(0.5)
        ? (await service.admin('DELETE', `knowledge/${id}`)).status === 204
        : !(await call('knowledge_remove', { id })).isError;
      expect(answer).toBe(true);
      const added = (await trash()).filter((place) => !removed.has(place.id));
      expect(added).toMatchObject([{ documentId: id }]);
      const model = documents.get(id);
      if (added[0] && model) removed.set(added[0].id, { ...model, documentId: id });
      documents.delete(id);
    };
    const restore = async (place: string) => {
      const model = removed.get(place);
      if (!model) throw new TypeError('no such model');
      const expected = freeId(model.documentId);
      const latest = (await trash()).find(({ documentId }) => documentId === model.documentId);
      const byTool = latest?.id === place;
      const id = byTool
        ? (await call('knowledge_restore', { uri: `knowledge://documents/${model.documentId}` })).id
        : String((await service.admin('POST', `knowledge-trash/${place}/restore`)).body['id']);
      expect(id).toBe(expected);
      if (id !== model.documentId) counts.moved += 1;
      documents.set(id, { title: model.title, texts: model.texts });
      removed.delete(place);
    };
    const step = async () => {
      const [ids, places] = [[...documents.keys()], [...removed.keys()]];
      const roll = random.integer(1, 20);
      const text = `text ${(texts += 1)}`;
      if (roll <= 5 || ids.length === 0) {
        const title = random.pick(TITLES);
        const { id } = await call('knowledge_save', { title, content: text });
        expect(id).toBe(freeId(title.toLowerCase().replace(' ', '-')));
        documents.set(id, { title, texts: [text] });
        counts.saved += 1;
      } else if (roll <= 9) {
        const id = random.pick(ids);
        await service.admin('PUT', `knowledge/${id}`, { content: text });
        const { title, texts: before } = documents.get(id) ?? { title: '', texts: [] };
        documents.set(id, { title, texts: [...before, text] });
        counts.updated += 1;
      } else if (roll <= 14) {
        await remove(random.pick(ids));
        counts.removed += 1;
      } else if (roll <= 18 && places.length > 0) {
        await restore(random.pick(places));
        counts.restored += 1;
      } else if (places.length > 0) {
        const place = random.pick(places);
        expect((await service.admin('DELETE', `knowledge-trash/${place}`)).status).toBe(204);
        removed.delete(place);
        counts.purged += 1;
      } else {
        expect(await call('knowledge_restore', { id: 'no-such' })).toMatchObject({ isError: true });
        counts.refused += 1;
      }
    };
    const compare = async (whole: boolean) => {
      const { body } = await service.admin('GET', 'knowledge?limit=200');
      const items = body['items'] as { id: string; title: string; version: number }[];
      const shown = items.map(({ id, title }) => [id, title]).sort();
      const expected = [...documents].map(([id, { title }]) => [id, title]);
      for (const { id, version } of items) {
        const [last, known] = [documents.get(id)?.texts.at(-1), `${id} ${version}`];
        expect([known, textOf.get(known) ?? last]).toEqual([known, last]);
        textOf.set(known, last);
      }
      expect(shown).toEqual(expected.sort());
      const places = (await trash()).map(({ id, documentId, title, versions }) => [
        id,
        documentId,
        title,
        versions + 1,
      ]);
      const known = [...removed].map(([id, { documentId, title, texts: all }]) => [id, documentId, title, all.length]);
      expect(places.sort()).toEqual(known.sort());
      for (const [id, { texts: all }] of whole ? documents : []) {
        const contents = [String((await service.admin('GET', `knowledge/${id}`)).body['content'])];
        const { items: earlier } = (await service.admin('GET', `knowledge/${id}/history`)).body;
        for (const { version } of earlier as { version: number }[]) {
          contents.unshift(String((await service.admin('GET', `knowledge/${id}/history/${version}`)).body['content']));
        }
        expect(contents).toEqual(all);
        const { text } = await call('knowledge_search', { query: `"${all.at(-1)}"` });
        expect(text).toContain(`knowledge://documents/${id}`);
      }
    };

    for (let done = 1; done <= STEPS; done += 1) {
      await step();
      const isTime = done % RESTART_EVERY === 0;
      if (isTime) await restart();
      if (done % 10 === 0) await compare(isTime);
    }
    for (const place of [...removed.keys()]) await restore(place);
    await compare(true);
    expect(Math.min(counts.saved, counts.updated, counts.removed, counts.restored, counts.moved)).toBeGreaterThan(20);
    expect(counts.purged).toBeGreaterThan(5);
  });
});
