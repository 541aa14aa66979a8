import { jest } from '@jest/globals';
import { sql } from 'kysely';
import { settingsOn } from '../../src/platform/config/testing.js';
import type { Database } from '../../src/platform/database/database.js';
import type { Lack } from '../../src/platform/text/search-lacks.rules.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { recordedEvents } from '../../src/platform/events/testing.js';
import { provideKnowledge } from '../../src/features/knowledge/standalone-knowledge.js';
import { semanticOn } from '../../src/features/semantic/testing.js';
import { EmbeddingsServer } from '../support/embeddings-server.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

/** Lets the time of the lease of the replica that embeds pass. */
const expireLease = (database: Database) =>
  database
    .updateTable('facts')
    .set({ value: sql`'2000-01-01T00:00:00.000Z' || substr(value, 25)` })
    .where('name', '=', 'knowledge.embedder')
    .execute();

describeEachDatabase('search by meaning', (open) => {
  let server: EmbeddingsServer;
  EmbeddingsServer.forEachTest((started) => (server = started));

  /** A replica of the service on a database, reduced to the knowledge base. */
  async function replicaOn(database: Database, env: { KNOWLEDGE_EMBEDDINGS_MODEL?: string } = {}) {
    const { events } = recordedEvents();
    const settings = await settingsOn({ database, events, env: { HTTP_ALLOWED_HOSTS: '127.0.0.1', ...env } });
    await settings.set('knowledge.embeddings_url', server.url);
    if (!env.KNOWLEDGE_EMBEDDINGS_MODEL) await settings.set('knowledge.embeddings_model', 'small');
    const { meaning, embedder, report } = semanticOn({ database, settings, events });
    const knowledge = provideKnowledge(database, events, meaning);
    const progress = async () => {
      const { collections, ...progress } = await report.make();
      const { items: passages = 0, embedded = 0 } = collections.find(({ name }) => name === 'knowledge') ?? {};
      return { ...progress, passages, embedded };
    };
    return { database, settings, knowledge, embedder, progress };
  }

  type Replica = Awaited<ReturnType<typeof replicaOn>>;
  const titles = async ({ knowledge }: Replica, query: string, tags: string[] = []) =>
    (await knowledge.search({ query, tags, limit: 5 })).map(({ document }) => document.title);

  async function filled() {
    const replica = await replicaOn(await open());
    await replica.knowledge.save({ title: 'Parking', content: 'Every car needs a permit.', tags: ['office'] });
    await replica.knowledge.save({ title: 'Time off', content: 'Ask for holidays two weeks ahead.', tags: ['people'] });
    await replica.knowledge.save({ title: 'Accounts', content: 'Send the invoice by post.', tags: ['office'] });
    await replica.embedder.tick(() => NOW);
    return replica;
  }

  it('finds what is said in other words, and says so', async () => {
    const replica = await filled();
    const [hit] = await replica.knowledge.search({ query: 'automobile', limit: 5 });
    expect(hit).toMatchObject({ document: { title: 'Parking' }, match: 'meaning' });
    expect(await replica.progress()).toMatchObject({ passages: 3, embedded: 3, lastError: null });
  });

  it('puts first what has the words and the meaning', async () => {
    const replica = await filled();
    await replica.knowledge.save({ title: 'Travel diary', content: 'On holidays we took the vehicle to the sea.' });
    await replica.embedder.tick(() => NOW);
    expect((await titles(replica, 'holidays'))[0]).toBe('Time off');
    expect(await titles(replica, 'vacation')).toContain('Time off');
  });

  it('searches only the documents with the tags', async () => {
    const replica = await filled();
    expect(await titles(replica, 'automobile', ['people'])).toEqual(['Time off']);
    expect(await titles(replica, 'automobile', ['office'])).toEqual(['Parking']);
    expect(await titles(replica, 'bill', ['office'])).toEqual(['Accounts']);
  });

  it('finds what is left when all candidates are gone, and more', async () => {
    const replica = await filled();
    for (let n = 0; n < 450; n += 1) await replica.knowledge.save({ title: `Fleet ${n}`, content: `vehicle ${n}` });
    for (let second = 1; (await replica.progress()).embedded < 453; second += 1)
      await replica.embedder.tick(() => after(second));
    expect(await titles(replica, 'automobile')).not.toContain('Parking');
    // Simulates a deletion by another replica: this one has all embeddings in memory.
    await replica.database.deleteFrom('knowledge_documents').where('title', 'like', 'Fleet%').execute();
    expect(await titles(replica, 'automobile')).toEqual(['Parking']);
  });

  it('takes a quoted phrase literally', async () => {
    const replica = await filled();
    expect(await titles(replica, '"automobile"')).toEqual([]);
  });

  it('takes identifiers literally, which no model knows', async () => {
    const replica = await filled();
    expect(await titles(replica, 'max_automobiles --dry-run')).toEqual([]);
    expect(server.texts).not.toContain('max_automobiles --dry-run');
  });

  it('forgets what was removed, and learns what was changed', async () => {
    const replica = await filled();
    const { items } = await replica.knowledge.listPage({ limit: 10 });
    const idOf = (title: string) => items.find((document) => document.title === title)?.id ?? '';
    await replica.knowledge.remove(idOf('Parking'));
    await replica.knowledge.save({ id: idOf('Accounts'), title: 'Accounts', content: 'A voiture is paid by card.' });
    await replica.embedder.tick(() => NOW);
    expect((await titles(replica, 'automobile'))[0]).toBe('Accounts');
    expect(await titles(replica, 'automobile')).not.toContain('Parking');
  });

  it('embeds each passage once, with its title and headings', async () => {
    const { knowledge, embedder } = await replicaOn(await open());
    // Too long to share a passage.
    const [one, two] = ['One. '.repeat(100).trim(), 'Two. '.repeat(100).trim()];
    const content = `# A\n\n${one}\n\n# B\n\n${two}`;
    const { document } = await knowledge.save({ title: 'Doc', content });
    await embedder.tick(() => NOW);
    expect(server.texts.sort()).toEqual([`Doc > A\n\n${one}`, `Doc > B\n\n${two}`]);
    await knowledge.save({ id: document.id, title: 'Doc', content: `# New\n\nZero.\n\n${content}` });
    await embedder.tick(() => NOW);
    await embedder.tick(() => NOW);
    expect(server.texts.sort()).toEqual([`Doc > A\n\n${one}`, `Doc > B\n\n${two}`, 'Doc > New\n\nZero.']);
  });

  it('embeds in the same pass what is saved during it', async () => {
    const { knowledge, embedder, progress } = await replicaOn(await open());
    for (const title of ['A', 'B']) await knowledge.save({ title, content: title });
    server.meanwhile = () => knowledge.save({ title: 'C', content: 'C' });
    await embedder.tick(() => NOW);
    expect(await progress()).toMatchObject({ passages: 3, embedded: 3 });
  });

  it('embeds everything again for another model', async () => {
    const replica = await filled();
    const before = server.texts.length;
    await replica.settings.set('knowledge.embeddings_model', 'large');
    expect(await titles(replica, 'automobile')).toEqual([]);
    await replica.embedder.tick(() => NOW);
    expect(server.texts.length - before).toBe(4); // three passages and the query
    expect((await titles(replica, 'automobile'))[0]).toBe('Parking');
  });

  it('embeds everything again when the model under the same name has other dimensions', async () => {
    const replica = await filled();
    expect((await titles(replica, 'automobile'))[0]).toBe('Parking');
    server.dimensions = 128;
    await replica.knowledge.save({ title: 'Garage', content: 'The voiture stays outside.' });
    await replica.embedder.tick(() => after(1));
    expect(await replica.progress()).toMatchObject({ passages: 4, embedded: 4, lastError: null });
    const found = await titles(replica, 'vehicle'); // queried for the first time, hence with the new model
    expect(found.slice(0, 2).sort()).toEqual(['Garage', 'Parking']);
  });

  it('embeds everything again when a search shows that the model has other dimensions, and says so meanwhile', async () => {
    const replica = await filled();
    server.dimensions = 128;
    const lacks = new Set<Lack>();
    expect(await replica.knowledge.search({ query: 'automobile', limit: 5, lacks })).toEqual([]);
    expect([[...lacks], (await replica.progress()).embedded]).toEqual([['index'], 2]);
    await replica.embedder.tick(() => after(1));
    expect(await replica.progress()).toMatchObject({ passages: 3, embedded: 3, lastError: null });
    expect((await titles(replica, 'automobile'))[0]).toBe('Parking');
  });

  it('embeds nothing again for a model whose vectors alternate between two numbers of dimensions, and says why', async () => {
    const replica = await replicaOn(await open());
    for (let number = 0; number < 80; number += 1) {
      await replica.knowledge.save({ title: `Document ${number}`, content: `Number ${number}.` });
    }
    const alternate = async () => {
      server.dimensions = server.dimensions === 256 ? 128 : 256;
      if (server.texts.length < 1_000) server.meanwhile = alternate;
    };
    await alternate();
    await replica.embedder.tick(() => NOW);
    expect(server.texts).toHaveLength(64);
    const { embedded, lastError, nextTryAt } = await replica.progress();
    expect([embedded, nextTryAt]).toEqual([32, after(5)]);
    expect(lastError).toMatch(/^small @ .* answered with vectors of 256 dimensions, and then of 128: configure/);
  });

  it('continues with the model that is set while another one embeds', async () => {
    const replica = await replicaOn(await open());
    for (let number = 0; number < 40; number += 1) {
      await replica.knowledge.save({ title: `Document ${number}`, content: `Number ${number}.` });
    }
    server.meanwhile = () => replica.settings.set('knowledge.embeddings_model', 'large');
    await replica.embedder.tick(() => NOW);
    expect(await replica.progress()).toMatchObject({ space: `large @ ${server.url}/embeddings`, embedded: 40 });
    expect(server.texts.length).toBe(32 + 40);
  });

  it('keeps apart the vectors of a model that was replaced while it answered', async () => {
    const replica = await filled();
    await replica.knowledge.save({ title: 'Garage', content: 'The voiture stays outside.' });
    server.meanwhile = () => replica.settings.set('knowledge.embeddings', 'off');
    await replica.embedder.tick(() => NOW);
    expect(await titles(replica, 'automobile')).toEqual([]);
    await replica.settings.set('knowledge.embeddings', 'url');
    expect((await titles(replica, 'automobile')).slice(0, 2).sort()).toEqual(['Garage', 'Parking']);
  });

  it('sends nothing to the model while there is nothing to embed', async () => {
    const { knowledge, embedder } = await replicaOn(await open());
    await embedder.tick(() => NOW);
    expect(await knowledge.search({ query: 'automobile', limit: 5 })).toEqual([]);
    await embedder.tick(() => NOW);
    expect(server.texts).toEqual(['automobile']);
  });

  it('continues after a stop in the middle, without doing anything twice', async () => {
    const database = await open();
    const stopped = await replicaOn(database);
    for (let number = 0; number < 80; number += 1) {
      await stopped.knowledge.save({ title: `Document ${number}`, content: `Number ${number}.` });
    }
    const answered = () => server.embedded.length;
    server.meanwhile = async () => {
      server.meanwhile = async () => stopped.embedder.beforeApplicationShutdown();
    };
    await stopped.embedder.tick(() => NOW);
    const atStop = await stopped.progress();
    expect([atStop.embedded, atStop.lastError, answered() > 0]).toEqual([32, null, true]);

    const restarted = await replicaOn(database);
    await restarted.embedder.tick(() => after(1));
    expect(await restarted.progress()).toMatchObject({ passages: 80, embedded: 80 });
    const [, , ...later] = server.embedded;
    expect(later.flat()).toHaveLength(48);
  });

  it('is seen by another replica on the same database', async () => {
    const database = await open();
    const [one, other] = [await replicaOn(database), await replicaOn(database)];
    expect(await titles(other, 'automobile')).toEqual([]);
    await one.knowledge.save({ title: 'Parking', content: 'Every car needs a permit.' });
    await one.embedder.tick(() => NOW);
    expect(await titles(other, 'automobile')).toEqual(['Parking']);
  });

  it('lets one replica embed at a time', async () => {
    const database = await open();
    const replicas = [await replicaOn(database), await replicaOn(database)];
    for (let number = 0; number < 80; number += 1) {
      await replicas[0]?.knowledge.save({ title: `Document ${number}`, content: `Number ${number}.` });
    }
    await Promise.all(replicas.map(({ embedder }) => embedder.tick(() => NOW)));
    expect([server.texts.length, new Set(server.texts).size]).toEqual([80, 80]);
  });

  it('continues within seconds after a replica was killed while it embedded', async () => {
    const database = await open();
    const [killed, other] = [await replicaOn(database), await replicaOn(database)];
    for (const title of ['A', 'B', 'C']) await killed.knowledge.save({ title, content: title });
    jest.useFakeTimers({ doNotFake: ['nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'Date'] });
    try {
      await new Promise<void>((resolve) => {
        server.meanwhile = () => new Promise(() => resolve()); // no answer
        void killed.embedder.tick(() => new Date()).catch(() => undefined);
      });
      jest.clearAllTimers();
      other.embedder.onApplicationBootstrap();
      for (let seconds = 0; seconds < 15; seconds += 1) {
        jest.advanceTimersByTime(1_000);
        for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
        if (seconds === 8) await expireLease(database);
      }
      while (server.texts.length < 3) await new Promise((resolve) => setImmediate(resolve));
    } finally {
      jest.useRealTimers();
    }
    other.embedder.beforeApplicationShutdown();
    await other.embedder.onApplicationShutdown();
    expect(server.texts.sort()).toEqual(['A\n\nA', 'B\n\nB', 'C\n\nC']);
  });

  it('embeds everything for the model of the replica that started last, where they differ, and says so in the others', async () => {
    const database = await open();
    const [small, large] = ['small', 'large'].map((model) => ({ KNOWLEDGE_EMBEDDINGS_MODEL: model }));
    const old = await replicaOn(database, small);
    await old.knowledge.save({ title: 'Parking', content: 'Every car needs a permit.' });
    await old.embedder.tick(() => NOW);
    const started = await replicaOn(database, large);
    for (let minute = 0; minute < 10; minute += 1) {
      for (const { embedder } of [started, old]) await embedder.tick(() => after(60 * minute));
    }
    expect(server.texts).toHaveLength(2);
    expect(await titles(started, 'automobile')).toEqual(['Parking']);
    const problem = `another replica embeds with large @ ${server.url}/embeddings: configure the same model on all replicas`;
    expect((await old.progress()).lastError).toBe(problem);
    expect(await started.progress()).toMatchObject({ embedded: 1, lastError: null });
    const restarted = await replicaOn(database, small);
    for (const { embedder } of [restarted, started]) await embedder.tick(() => after(1_000));
    expect(await restarted.progress()).toMatchObject({ embedded: 1, lastError: null });
    expect((await started.progress()).lastError).toContain('small @');
  });

  it('presents the key that was set', async () => {
    const { settings, knowledge, embedder } = await replicaOn(await open());
    await settings.set('knowledge.embeddings_key', 'sk-test');
    await knowledge.save({ title: 'A', content: 'a' });
    await embedder.tick(() => NOW);
    expect(server.authorizations).toEqual(['Bearer sk-test']);
  });

  it('does not report the key when the API quotes it', async () => {
    const { settings, knowledge, embedder, progress } = await replicaOn(await open());
    await settings.set('knowledge.embeddings_key', 'sk-test');
    await knowledge.save({ title: 'A', content: 'a' });
    server.refusal = { status: 401, body: '{"error":{"message":"Incorrect API key: sk-test."}}' };
    await embedder.tick(() => NOW);
    expect((await progress()).lastError).toMatch(/ answered 401: Incorrect API key: \*\*\*\.$/);
  });

  it('sends no text to where the API redirects, and says so', async () => {
    const { knowledge, embedder, progress } = await replicaOn(await open());
    const other = await EmbeddingsServer.start();
    await knowledge.save({ title: 'A', content: 'a' });
    server.refusal = { status: 307, headers: { location: `${other.url}/embeddings` } };
    await embedder.tick(() => NOW);
    expect((await progress()).lastError).toMatch(/ answered 307\. It redirects, which is not followed: set knowledge/);
    expect(other.authorizations).toEqual([]);
    await other.stop();
  });

  it('searches by words where the API fails, says why, and waits longer each time', async () => {
    const replica = await replicaOn(await open());
    await replica.knowledge.save({ title: 'Parking', content: 'Every car needs a permit.' });
    server.refusal = { status: 503 };
    await replica.embedder.tick(() => NOW);
    const failed = await replica.progress();
    expect(failed).toMatchObject({ embedded: 0, nextTryAt: after(5) });
    expect(failed.lastError).toMatch(/\/v1\/embeddings answered 503: refused with 503/);
    expect(await titles(replica, 'permit')).toEqual(['Parking']);
    const asked = server.authorizations.length;
    expect(await titles(replica, 'car permit')).toEqual(['Parking']);
    await replica.embedder.tick(() => after(4));
    expect(server.authorizations.length).toBe(asked);
    await replica.embedder.tick(() => after(5));
    expect(await replica.progress()).toMatchObject({ nextTryAt: after(15) });
    server.refusal = null;
    await replica.embedder.tick(() => after(15));
    expect(await replica.progress()).toMatchObject({ embedded: 1, lastError: null, nextTryAt: null });
  });

  it('tries again when the clock that it waits by was set back', async () => {
    const { knowledge, embedder, progress } = await replicaOn(await open());
    await knowledge.save({ title: 'A', content: 'a' });
    server.refusal = { status: 503 };
    await embedder.tick(() => after(86_400));
    server.refusal = null;
    await embedder.tick(() => NOW);
    expect(await progress()).toMatchObject({ embedded: 1, nextTryAt: null });
  });

  it('waits as long as the API asks', async () => {
    const { knowledge, embedder, progress } = await replicaOn(await open());
    await knowledge.save({ title: 'A', content: 'a' });
    server.refusal = { status: 429, headers: { 'retry-after': '77' } };
    await embedder.tick(() => NOW);
    expect(await progress()).toMatchObject({ nextTryAt: after(77) });
  });

  it('waits for the time that the API names, at most an hour', async () => {
    const { knowledge, embedder, progress } = await replicaOn(await open());
    await knowledge.save({ title: 'A', content: 'a' });
    const tomorrow = new Date(Date.now() + 86_400_000).toUTCString();
    server.refusal = { status: 429, headers: { 'retry-after': tomorrow } };
    await embedder.tick(() => NOW);
    expect(await progress()).toMatchObject({ nextTryAt: after(3_600) });
  });

  it('cuts a passage that is too long for the model, and embeds the others whole', async () => {
    const { knowledge, embedder, progress } = await replicaOn(await open());
    server.longest = 400;
    await knowledge.save({ title: 'Long', content: 'car '.repeat(250) });
    for (const title of ['A', 'B', 'C']) await knowledge.save({ title, content: 'Short.' });
    await embedder.tick(() => NOW);
    expect(await progress()).toMatchObject({ passages: 4, embedded: 4, lastError: null });
    expect(server.texts.filter((text) => text.endsWith('Short.'))).toHaveLength(3);
    expect(server.texts.some((text) => text.startsWith('Long') && text.length > 200)).toBe(true);
  });

  it('skips a passage that the model always rejects, and continues', async () => {
    const { knowledge, embedder, progress } = await replicaOn(await open());
    server.longest = 20;
    await knowledge.save({ title: 'Too long for this model', content: 'car '.repeat(50) });
    await knowledge.save({ title: 'A', content: 'a' });
    await embedder.tick(() => NOW);
    expect(await progress()).toMatchObject({ passages: 2, embedded: 2, lastError: null });
    const [hit] = await knowledge.search({ query: 'car', limit: 5 });
    expect(hit).toMatchObject({ document: { title: 'Too long for this model' }, match: 'all' });
  });

  it('skips a passage for which the model returns no numbers, and continues', async () => {
    const { knowledge, embedder, progress } = await replicaOn(await open());
    server.overflowsAt = 'glitch';
    for (const title of ['A', 'B', 'glitch', 'C']) await knowledge.save({ title, content: 'a' });
    await embedder.tick(() => NOW);
    expect(await progress()).toMatchObject({ passages: 4, embedded: 4, lastError: null });
    expect(await knowledge.search({ query: 'glitch', limit: 5 })).toMatchObject([{ document: { title: 'glitch' } }]);
  });

  it('gives up no passage when the model is wrong', async () => {
    const { knowledge, embedder, progress } = await replicaOn(await open());
    await knowledge.save({ title: 'A', content: 'a' });
    server.refusal = { status: 400, body: '{"error":{"message":"model small does not exist"}}' };
    await embedder.tick(() => NOW);
    expect(await progress()).toMatchObject({
      embedded: 0,
      lastError: expect.stringContaining('model small does not exist') as string,
    });
  });

  it.each([
    ['HTML', '<html>', 'its answer has no list "data"'],
    ['no numbers', '{"data":[{"embedding":"AAAA"}]}', '"data.0.embedding" is not a list of numbers'],
    ['zeros', '{"data":[{"embedding":[0,0]}]}', 'the embedding of input 0 has no direction'],
    ['too few', '{"data":[]}', 'the embedding of input 0 is missing'],
    [
      'too many',
      '{"data":[{"index":0,"embedding":[1]},{"index":5,"embedding":[1]}]}',
      '"data.1.index" is none of 0 to',
    ],
  ])('says what is wrong with an API that answers %s', async (_title, body, problem) => {
    const { knowledge, embedder, progress } = await replicaOn(await open());
    await knowledge.save({ title: 'A', content: 'a' });
    server.refusal = { status: 200, body };
    await embedder.tick(() => NOW);
    expect((await progress()).lastError).toContain(problem);
    server.refusal = null;
    await embedder.tick(() => after(5));
    expect(await progress()).toMatchObject({ embedded: 1, lastError: null });
    expect(server.texts).toHaveLength(1);
  });

  it('reaches no private address that is not allowed', async () => {
    const { settings, knowledge, embedder, progress } = await replicaOn(await open());
    await settings.set('knowledge.embeddings_url', 'http://10.0.0.1:11434/v1');
    await knowledge.save({ title: 'A', content: 'a' });
    await embedder.tick(() => NOW);
    expect((await progress()).lastError).toContain('http.allowed_hosts');
  });
});
