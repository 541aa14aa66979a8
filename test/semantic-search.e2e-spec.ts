import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { skillText } from '../src/features/packages/testing.js';
import { describeWithModel } from './support/builtin-model.js';
import { EmbeddingsServer } from './support/embeddings-server.js';
import { TestService } from './support/service.js';
import { until } from './support/until.js';

const upload = (service: TestService, text: string) =>
  service.admin('POST', 'skill-packages', { file: 'SKILL.md', base64: Buffer.from(text).toString('base64') });

describe('search by meaning, set up by an administrator', () => {
  let embeddings: EmbeddingsServer;
  let service: TestService;
  let client: Client;

  beforeAll(async () => {
    embeddings = await EmbeddingsServer.start();
    service = await TestService.start();
    client = await service.connect();
  });
  afterAll(async () => {
    await service.stop();
    await embeddings.stop();
  });

  const search = async (query: string) => {
    const { content, structuredContent } = await service.call('knowledge_search', { query });
    const hits = structuredContent?.['hits'] as { title: string; match: string }[];
    return { text: content[0]?.text, hits: hits.map(({ title, match }) => `${title}: ${match}`) };
  };
  const progress = async () => (await service.admin('GET', 'knowledge/embeddings')).body;
  const configure = async (settings: Record<string, unknown>) => {
    for (const [key, value] of Object.entries(settings)) {
      await service.admin('PUT', `config/knowledge.${key}`, { value });
    }
  };

  it('goes by words only until an embeddings API is set', async () => {
    await service.call('knowledge_save', {
      title: 'Parking',
      content: 'Every car needs a permit of the facility team.',
    });
    expect(await progress()).toMatchObject({ enabled: false, space: null, lastError: null, memoryEnabled: false });
    const found = await search('automobile');
    expect(found.hits).toEqual([]);
    expect(found.text).not.toContain('by words only');
  });

  it('reports why the API can’t be used, and still finds by words', async () => {
    await configure({ embeddings_url: embeddings.url, embeddings_model: 'small', embeddings_key: 'sk-hidden' });
    await until(async () => String((await progress())['lastError']).includes('http.allowed_hosts'));
    const found = await search('permit');
    expect(found.hits).toEqual(['Parking: all']);
    expect(found.text).toContain('Found by words only: the model that finds by meaning does not answer.');
    expect(embeddings.authorizations).toEqual([]);
  });

  it('searches for the first 1000 characters of a long query, and says so', async () => {
    const found = await search(`permit ${'x '.repeat(600)}`);
    expect(found.hits).toEqual(['Parking: some']);
    expect(found.text).toContain('Only the first 1000 characters of the query were searched for.');
    const remembered = await service.call('memory_search', { query: 'word '.repeat(201) });
    expect(JSON.stringify(remembered)).toContain('Only the first 1000 characters');
  });

  it('finds documents by meaning as soon as they are embedded', async () => {
    await service.admin('PUT', 'config/http.allowed_hosts', { value: ['127.0.0.1'] });
    await until(async () => (await progress())['embedded'] === 1);
    expect(await progress()).toMatchObject({ enabled: true, passages: 1, lastError: null, nextTryAt: null });
    const found = await search('automobile');
    expect(found.hits).toEqual(['Parking: meaning']);
    expect(found.text).toContain('found by its meaning');
    await service.call('knowledge_save', { title: 'Time off', content: 'Ask for holidays in time.' });
    await until(async () => (await search('vacation')).hits[0] === 'Time off: meaning');
  });

  it('finds skill packages by meaning, except those that the client may not read', async () => {
    await upload(service, skillText('garage', 'Every car needs a permit.'));
    const find = async () => {
      const { content } = await service.call('skill_find', { query: 'automobile' });
      return JSON.stringify(content);
    };
    await until(async () => (await find()).includes('garage'));
    const policy =
      'forbid(principal, action == Action::"readResource", resource == Resource::"skill://garage/SKILL.md");';
    expect((await service.admin('POST', 'policies', { name: 'no-garage', policy })).status).toBe(201);
    expect(await find()).toContain('No skill fits');
    await service.admin('DELETE', 'policies/no-garage');
  });

  it('sends the key to the API and shows it to nobody', async () => {
    expect(new Set(embeddings.authorizations)).toEqual(new Set(['Bearer sk-hidden']));
    const { contents } = await client.readResource({ uri: 'config://knowledge.embeddings_key' });
    const config = await service.admin('GET', 'config');
    expect(JSON.stringify([contents, config, await progress()])).not.toContain('sk-hidden');
    expect((await service.admin('POST', 'config/knowledge.embeddings_key/generate')).status).toBe(400);
  });

  it('sends the key to no other server, whoever changes the URL, and says what to do', async () => {
    const other = await EmbeddingsServer.start();
    const asked = embeddings.authorizations.length;
    await configure({ embeddings_url: other.url });
    const { host } = new URL(other.url);
    const again = `enter the key again for http://${host}`;
    await until(async () => String((await progress())['lastError']).includes(again));
    expect((await search('holidays')).hits).toEqual(['Time off: all']);
    expect((await service.admin('GET', 'config/knowledge.embeddings_key')).body['problem']).toContain(again);
    expect([other.authorizations, embeddings.authorizations.length]).toEqual([[], asked]);
    await configure({ embeddings_key: 'sk-other' });
    await until(async () => (await progress())['embedded'] === 2);
    expect(new Set(other.authorizations)).toEqual(new Set(['Bearer sk-other']));
    expect((await progress())['lastError']).toBeNull();
    await other.stop();
  });
});

describeWithModel('the built-in model in the service', () => {
  let service: TestService;
  TestService.forSuite((started) => (service = started));

  const progress = async () => (await service.admin('GET', 'knowledge/embeddings')).body;
  const foundBy = async (path: string, field: string) => {
    const { items } = (await service.admin('GET', path)).body as { items: Record<string, unknown>[] };
    return items.map((item) => item[field]);
  };

  it('is switched on by one setting, and then finds documents and memories by meaning', async () => {
    expect(await progress()).toMatchObject({
      enabled: false,
      builtinInstalled: true,
      builtinCommand: 'npm run embeddings:install',
    });
    await service.admin('POST', 'knowledge', { title: 'Parking', content: 'Every car needs a permit.' });
    await service.admin('POST', 'memory', { key: 'days', content: 'Ask for holidays two weeks ahead.' });
    await service.admin('PUT', 'config/knowledge.embeddings', { value: 'builtin' });
    await until(async () => (await progress())['embedded'] === 1 && (await progress())['embeddedEntries'] === 1);
    expect(await progress()).toMatchObject({ enabled: true, memoryEnabled: true, passages: 1, entries: 1 });
    expect(await foundBy('knowledge?q=automobile', 'title')).toEqual(['Parking']);
    expect(await foundBy('memory?q=vacation', 'key')).toEqual(['days']);
  });

  it('finds the skill package for a task in other words', async () => {
    const design = 'Fonts, colours and the logo of the company, for documents and presentations.';
    await upload(service, skillText('corporate-design', design));
    await upload(service, skillText('release-notes', 'Collect the merged pull requests since the last tag.'));
    await upload(service, skillText('incident', 'Call the person on duty, and write down what happened when.'));
    const find = () => service.call('skill_find', { query: 'make slides look like our brand' });
    await until(async () => /text":"- corporate-design/.test(JSON.stringify(await find())));
  });

  it('needs nothing embedded again after a restart, and forgets with the memory', async () => {
    service = await service.restart();
    expect(await progress()).toMatchObject({ passages: 1, embedded: 1, entries: 1, embeddedEntries: 1 });
    // A search waits only a few seconds for the model, which is being reloaded.
    await until(async () => (await foundBy('memory?q=vacation', 'key')).length > 0);
    expect(await foundBy('memory?q=vacation', 'key')).toEqual(['days']);
    await service.admin('DELETE', 'memory/shared/days');
    expect(await progress()).toMatchObject({ entries: 0, embeddedEntries: 0 });
    expect(await foundBy('memory?q=vacation', 'key')).toEqual([]);
  });

  it('is switched off by the same setting', async () => {
    await service.admin('PUT', 'config/knowledge.embeddings', { value: 'off' });
    expect(await foundBy('knowledge?q=automobile', 'title')).toEqual([]);
    expect((await service.admin('PUT', 'config/knowledge.embeddings', { value: 'other' })).status).toBe(400);
  });
});
