import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { McpTransport } from '../src/entrypoints/mcp/mcp-transport.provider.js';
import { EventBus } from '../src/platform/events/event-bus.service.js';
import { describeOnEachDatabase } from './support/databases.js';
import { TestService } from './support/service.js';
import { until } from './support/until.js';

/** Too long to share a passage with the sections around it. */
const LONG = 'Tell the others. '.repeat(50).trim();

describeOnEachDatabase('knowledge and memory', (data) => {
  let service: TestService;
  let client: Client;

  beforeAll(async () => {
    service = await TestService.start({ env: data.env });
    client = await service.connect();
    const { endpoint } = service.app.get(McpTransport);
    await until(() => endpoint.counts().streams > 0);
  });
  afterAll(() => service.stop());

  interface Result {
    content: { text: string }[];
    structuredContent: Record<string, unknown> & { uri: string; id: string; hits: Record<string, unknown>[] };
    isError?: boolean;
  }
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })) as object as Result;
  const read = async (uri: string) => (await client.readResource({ uri })).contents;
  const containing = (part: string): unknown => expect.stringContaining(part);
  const textOf = ({ content }: Result) => content[0]?.text ?? '';

  it('saves a document, finds it, and sends notifications of its changes', async () => {
    const updated: string[] = [];
    let listChanges = 0;
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void (listChanges += 1));

    const content = `# Deploy\n\n${LONG}\n\n## Rollback\n\nUse helm rollback when pods crash.`;
    const saved = await call('knowledge_save', { title: 'Deploy to production', content, tags: ['ops'] });
    const { uri, id } = saved.structuredContent;
    expect(uri).toBe(`knowledge://documents/${id}`);
    expect(textOf(saved)).toContain(uri);
    await until(() => listChanges > 0);

    const found = await call('knowledge_search', {
      query: 'How do I roll back crashing pods? rollback',
      tags: ['ops'],
    });
    const passage = 'Use helm rollback when pods crash.';
    expect(found.structuredContent.hits[0]).toMatchObject({
      ...{ uri, passage_uri: `${uri}#passage-2`, section: 'Deploy > Rollback', previous: 'Deploy', tags: ['ops'] },
      ...{ passage, truncated: false },
    });
    for (const said of [`\n\n${passage}`, `${uri}#passage-2`, 'before it: Deploy', 'resource_read']) {
      expect(textOf(found)).toContain(said);
    }
    const both = await call('knowledge_search', { query: 'deploy rollback', max_characters: 100 });
    expect(both.structuredContent.hits[0]).toMatchObject({
      passage,
      also: { passage_uri: `${uri}#passage-1`, section: 'Deploy', truncated: true },
    });
    expect(textOf(both)).toMatch(/Use helm rollback when pods crash\.\n\n {3}Passage: \S+#passage-1 \(only a part/);

    expect(await read(uri)).toEqual([{ uri, mimeType: 'text/markdown', text: content, _meta: { version: 1 } }]);
    expect(textOf(await call('resource_read', { uri }))).toBe(content);
    expect(textOf(await call('resource_read', { uri: id }))).toBe(content);
    const { resources } = await client.listResources();
    expect(resources).toContainEqual(expect.objectContaining({ uri, name: id, title: 'Deploy to production' }));
    const ref = { type: 'ref/resource' as const, uri: 'knowledge://documents/{id}' };
    const completed = await client.complete({ ref, argument: { name: 'id', value: id.slice(0, 6) } });
    expect(completed.completion.values).toEqual([id]);
    const byTitle = await client.complete({ ref, argument: { name: 'id', value: 'TO PROD' } });
    expect(byTitle.completion.values).toEqual([id]);

    await client.subscribeResource({ uri });
    await call('knowledge_save', { id, title: 'Deploy to production', content: 'Fridays.' });
    await until(() => updated.includes(uri));
    expect(textOf(await call('knowledge_remove', { id: uri }))).toContain(`Removed ${uri}. `);
    await expect(read(uri)).rejects.toThrow('Resource not found');
    expect(await call('knowledge_remove', { id })).toMatchObject({ isError: true });
  });

  it('keeps replaced versions, and replaces nothing that the caller has not read', async () => {
    const saved = await call('knowledge_save', { title: 'Rota', content: 'Ann\nBob' });
    const { uri, id } = saved.structuredContent;
    expect(saved.structuredContent['version']).toBe(1);
    const second = await call('knowledge_save', { id, title: 'Rota', content: 'Bob\nCid', version: 1 });
    expect(second.structuredContent).toMatchObject({ outcome: 'updated', version: 2 });
    expect(textOf(second)).toContain(`it is version 2 now; ${uri}/history/1 is the previous one`);
    const found = await call('knowledge_search', { query: 'rota' });
    expect(found.structuredContent.hits[0]).toMatchObject({ id, version: 2 });
    expect(textOf(found)).toContain('version 2');

    const refused = await call('knowledge_save', { id, title: 'Rota', content: 'Dan', version: 1 });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(
      /has changed since version 1: it is version 2 now, saved by ".+". Nothing was changed/,
    );
    expect(await read(uri)).toMatchObject([{ text: 'Bob\nCid' }]);

    expect(await read(`${uri}/history/1`)).toEqual([
      { uri: `${uri}/history/1`, mimeType: 'text/markdown', text: 'Ann\nBob', _meta: { version: 1 } },
    ]);
    const [list] = await read(`${uri}/history`);
    expect(JSON.parse((list as { text: string }).text)).toMatchObject([
      { uri, version: 2, title: 'Rota' },
      { uri: `${uri}/history/1`, version: 1, characters: 7 },
    ]);
    expect(textOf(await call('resource_read', { uri: `${uri}/history/1`, lines: '2' }))).toBe('Bob');
    for (const wrong of [`${uri}/history/9`, `${uri}/history/x`, `${uri}/historic`, `${uri}/history/1#passage-1`]) {
      await expect(read(wrong)).rejects.toThrow('Resource not found');
    }
    const ref = { type: 'ref/resource' as const, uri: 'knowledge://documents/{id}/history/{version}' };
    const context = { arguments: { id } };
    const { completion } = await client.complete({ ref, argument: { name: 'version', value: '' }, context });
    expect(completion.values).toEqual(['2', '1']);
  });

  it('announces another list when an update changes what the list shows, and only then', async () => {
    const lists: string[] = [];
    const stop = service.app.get(EventBus).on('resources.changed', ({ store }) => void lists.push(store));
    const saved = async (name: string, args: Record<string, unknown>) => {
      lists.length = 0;
      await call(name, args);
      return [...lists];
    };
    const { id } = (await call('knowledge_save', { title: 'Wiki', content: 'Page' })).structuredContent;
    expect(await saved('knowledge_save', { id, title: 'Wiki', content: 'Other page' })).toEqual([]);
    expect(await saved('knowledge_save', { id, title: 'Handbook', content: 'Other page' })).toEqual(['knowledge']);
    expect(await saved('knowledge_save', { id, title: 'Handbook', content: 'Page', tags: ['a'] })).toEqual([
      'knowledge',
    ]);
    await call('memory_save', { key: 'listed', content: 'one' });
    expect(await saved('memory_save', { key: 'listed', content: 'two' })).toEqual([]);
    expect(await saved('memory_save', { key: 'listed', content: 'two', tags: ['a'] })).toEqual(['memory']);
    stop();
  });

  it('cuts no character between two parts', async () => {
    const content = `${'x'.repeat(199_999)}😀${'y'.repeat(10)}`;
    const { uri } = (await call('knowledge_save', { title: 'Cut', content })).structuredContent;
    const parts = [await read(uri), await read(`${uri}?part=2`)].map(([part]) => (part as { text: string }).text);
    expect(parts.join('') === content).toBe(true);
  });

  it('reads a long document in parts', async () => {
    const content = 'x'.repeat(250_000);
    const { uri } = (await call('knowledge_save', { title: 'Long', content })).structuredContent;
    expect(await read(uri)).toMatchObject([
      { uri, mimeType: 'text/markdown', text: 'x'.repeat(200_000) },
      { uri, mimeType: 'text/plain', text: `[Part 1 of 2. Continue at ${uri}?part=2]` },
    ]);
    const [second, note] = await read(`${uri}?part=2`);
    expect(second).toMatchObject({ text: 'x'.repeat(50_000) });
    expect(note).toMatchObject({ text: '[Part 2 of 2. It is the last one.]' });
    await expect(read(`${uri}?part=3`)).rejects.toThrow('Resource not found');
    const { content: parts } = await call('resource_read', { uri, characters: '200001-200003' });
    expect(parts.map(({ text }) => text)).toEqual([
      'xxx',
      '[Characters 200001 to 200003 of 250000. Read on with characters "200004-200006".]',
      '[This is version 1 of the document.]',
    ]);
  });

  it('saves by the address that results name, and keeps the title and the tags', async () => {
    const first = await call('knowledge_save', { title: 'Über die Löschung (2026)', content: 'one', tags: ['law'] });
    const { uri } = first.structuredContent;
    expect(uri).toBe('knowledge://documents/uber-die-loschung-2026');
    const again = await call('knowledge_save', { uri, content: 'two' });
    expect(again.structuredContent).toMatchObject({ uri, title: 'Über die Löschung (2026)', outcome: 'updated' });
    expect(await service.admin('GET', 'knowledge/uber-die-loschung-2026')).toMatchObject({
      body: { tags: ['law'], content: 'two' },
    });
    const other = await call('knowledge_save', { title: 'Über die Löschung (2026)', content: 'else' });
    expect(other.structuredContent).toMatchObject({ id: 'uber-die-loschung-2026-2', sameTitle: [uri] });
    expect(await call('knowledge_save', { uri, id: 'other', content: 'x' })).toMatchObject({
      isError: true,
      content: [{ text: containing('two documents') }],
    });
    expect(await call('knowledge_remove', {})).toMatchObject({ isError: true, content: [{ text: containing('uri') }] });
    expect((await call('knowledge_save', { title: '会議', content: 'text' })).structuredContent.id).toMatch(/^\w{12}$/);
  });

  it('changes a part of a document, and leaves the rest as it is', async () => {
    const content = `# Rota\n\n## Week 1\n\nAnn on call.\n\n${LONG}\n\n## Week 2\n\nBob on call.`;
    const { uri } = (await call('knowledge_save', { title: 'Call rota', content })).structuredContent;
    const edit = (args: Record<string, unknown>) => call('knowledge_edit', { uri, ...args });
    expect((await edit({ old_text: 'Ann', new_text: 'Cid' })).structuredContent).toMatchObject({ uri, version: 2 });
    await call('knowledge_edit', { passage_uri: `${uri}#passage-2`, new_text: 'Dan on call.', version: 2 });
    await Promise.all([edit({ append: '- one' }), edit({ append: '- two' })]);
    const [first] = await read(uri);
    const after = { text: first && 'text' in first ? first.text : '' };
    expect(after.text.split('\n').slice(0, -2).join('\n')).toBe(
      `# Rota\n\n## Week 1\n\nCid on call.\n\n${LONG}\n\n## Week 2\n\nDan on call.`,
    );
    expect(after.text.split('\n').slice(-2).sort()).toEqual(['- one', '- two']);
    for (const [args, message] of [
      [{ old_text: 'on call', new_text: 'off' }, 'several times in the document'],
      [{ old_text: 'nowhere', new_text: 'x' }, 'does not occur'],
      [{ passage_uri: `${uri}#passage-9`, new_text: 'x', version: 5 }, 'there is no passage'],
      [{ passage_uri: `${uri}#passage-2`, new_text: 'x' }, 'version is missing'],
      [{ passage_uri: `${uri}#passage-2`, new_text: 'x', version: 2 }, 'has changed since version 2'],
      [{ passage_uri: 'knowledge://documents/other#passage-1', new_text: 'x' }, 'of another document'],
      [{ append: 'x', version: 1 }, 'has changed since version 1'],
      [{ uri: 'knowledge://documents/nothing', append: 'x' }, 'there is no document'],
    ] as const) {
      const answer = await edit(args);
      expect([answer.isError, textOf(answer)]).toEqual([true, containing(message)]);
    }
    expect(await read(uri)).toMatchObject([after]);
  });

  it('reads a section, a passage or some lines of a document', async () => {
    const code = '```sh\n  helm rollback   app\n# not a heading\n```';
    const content = `# Deploy\n\n${LONG}\n\n## Rollback\n\nDo this:\n\n${code}\n\n### After\n\n${LONG}\n\n## Restore\n\nAsk.`;
    const { uri } = (await call('knowledge_save', { title: 'Parts', content })).structuredContent;
    const partsOf = async (args: Record<string, unknown>) =>
      (await call('resource_read', { uri, ...args })).content.map(({ text }) => text);

    const passage = [`Do this:\n\n${code}`, containing(`Read on at ${uri}#passage-3.`)];
    expect(await partsOf({ passage: 2 })).toEqual(passage);
    expect(await partsOf({ uri: `${uri}#passage-2` })).toEqual(passage);
    expect(await read(`${uri}#passage-2`)).toMatchObject([
      { uri: `${uri}#passage-2`, mimeType: 'text/markdown', text: passage[0] },
      { mimeType: 'text/plain', text: passage[1] },
    ]);
    expect(await partsOf({ passage: 4 })).toEqual(['Ask.', containing('It is the last one.')]);
    await expect(read(`${uri}#passage-5`)).rejects.toThrow('Resource not found');
    await expect(read(`${uri}#other`)).rejects.toThrow('Resource not found');

    expect(await partsOf({ section: 'rollback' })).toEqual([
      `## Rollback\n\nDo this:\n\n${code}\n\n### After\n\n${LONG}`,
      '[Section Deploy > Rollback. Lines 5 to 17 of 20. Read on with lines "18-20".]',
      '[This is version 1 of the document.]',
    ]);
    expect(await partsOf({ section: 'Deploy > Rollback > After' })).toEqual([
      `### After\n\n${LONG}`,
      containing('Section Deploy > Rollback > After.'),
      '[This is version 1 of the document.]',
    ]);
    expect(await partsOf({ lines: '9-10' })).toEqual([
      '```sh\n  helm rollback   app',
      '[Lines 9 to 10 of 20. Read on with lines "11-12".]',
      '[This is version 1 of the document.]',
    ]);
    expect(await call('resource_read', { uri, section: 'Prices' })).toMatchObject({
      isError: true,
      content: [{ text: containing('no section "Prices"; its sections are: Deploy; Deploy > Rollback; Deploy >') }],
    });
    for (const [wrong, message] of [
      [{ lines: '30-40' }, 'it has only 20 lines'],
      [{ lines: 'all' }, 'must look like "40-80"'],
      [{ lines: '1-2', section: 'Deploy' }, 'only one of them'],
      [{ uri: `${uri}#passage-1`, lines: '1-2' }, 'names a passage already'],
      [{ uri: 'config://mcp.tool_timeout_ms', section: 'value' }, 'needs a Markdown text'],
    ] as const) {
      const answer = await call('resource_read', { uri, ...wrong });
      expect([answer.isError, textOf(answer)]).toEqual([true, containing(message)]);
    }
    expect(await partsOf({ uri: 'config://mcp.tool_timeout_ms', lines: '1' })).toEqual([
      '{',
      containing('Lines 1 to 1 of'),
    ]);
  });

  it('returns passages unchanged, or a part of them that is marked as such', async () => {
    const code = `\`\`\`ts\n${Array.from({ length: 40 }, (_, n) => `  const zebra${n} = **${n}**;`).join('\n')}\n\`\`\``;
    await call('knowledge_save', { title: 'Zebras', content: `See [zebra_case](x):\n\n${code}` });
    const search = async (max_characters?: number) => {
      const found = await call('knowledge_search', { query: 'zebra7', ...(max_characters && { max_characters }) });
      return { hit: found.structuredContent.hits[0], text: textOf(found) };
    };
    const whole = await search();
    expect(whole.hit).toMatchObject({ passage: `See [zebra_case](x):\n\n${code}`, truncated: false });
    expect(whole.text).toContain(`\n\nSee [zebra_case](x):\n\n${code}`);
    const part = await search(200);
    const { passage } = part.hit as { passage: string };
    expect(part.hit).toMatchObject({ truncated: true });
    expect(passage.length).toBeLessThanOrEqual(200);
    expect(code).toContain(passage);
    expect(passage).toContain('  const zebra7 = **7**;\n');
    expect(part.text).toContain(passage);
    expect(part.text).toContain('only a part of it is shown');
  });

  it('recalls long entries in part, and says so', async () => {
    const content = `${'  line of hay\n'.repeat(200)}a **needle** in it\n${'more hay\n'.repeat(200)}`.trim();
    await call('memory_save', { key: 'haystack', content, namespace: 'long' });
    const found = await call('memory_search', { query: 'needle', namespace: 'long' });
    const [hit] = found.structuredContent.hits as [{ content: string }];
    expect(hit).toMatchObject({ truncated: true, characters: content.length });
    expect(hit.content.length).toBeLessThanOrEqual(1_500);
    expect(content).toContain(hit.content);
    expect(hit.content).toContain('a **needle** in it\n');
    expect(textOf(found)).toContain(hit.content);
    expect(textOf(found)).toContain(`Only a part: ${hit.content.length} of ${content.length} characters`);
    expect(found.structuredContent['hint']).toContain('resource_read');
    const all = await call('memory_search', { query: 'needle', namespace: 'long', max_characters: 20_000 });
    expect(all.structuredContent.hits[0]).toMatchObject({ content, truncated: false });
    const { content: lines } = await call('resource_read', { uri: 'memory://long/haystack', lines: '201' });
    expect(lines[0]?.text).toBe('a **needle** in it');
  });

  it('remembers, recalls and forgets', async () => {
    const updated: string[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
    const uri = 'memory://shared/deploy-day';
    await call('memory_save', { key: 'deploy-day', content: 'We deploy on Tuesdays', importance: 5 });
    await client.subscribeResource({ uri });
    const again = await call('memory_save', { key: 'deploy-day', content: 'We deploy on Fridays' });
    expect(again.structuredContent).toMatchObject({ uri, outcome: 'updated', version: 2 });
    await until(() => updated.includes(uri));
    const found = await call('memory_search', { query: 'deploys' });
    expect(found.structuredContent.hits[0]).toMatchObject({ uri, content: 'We deploy on Fridays', importance: 5 });
    expect(await read(uri)).toMatchObject([{ mimeType: 'text/markdown', text: 'We deploy on Fridays' }]);
    expect(JSON.stringify(await read(`${uri}/history`))).toContain('We deploy on Tuesdays');
    await call('memory_save', { key: 'note', content: '[a note]', namespace: 'shared' });
    expect(await read('memory://shared/note')).toMatchObject([{ mimeType: 'text/markdown' }]);
    await call('memory_save', { key: 'json', content: '{"a":1}', namespace: 'team' });
    expect(await read('memory://team/json')).toMatchObject([{ mimeType: 'application/json' }]);
    const ref = { type: 'ref/resource' as const, uri: 'memory://{namespace}/{key}' };
    const complete = async (name: string, value: string, chosen: Record<string, string> = {}) =>
      (await client.complete({ ref, argument: { name, value }, context: { arguments: chosen } })).completion.values;
    expect(await complete('namespace', 't')).toEqual(['team']);
    expect(await complete('key', 'deploy')).toEqual(['deploy-day']);
    expect(await complete('key', '', { namespace: 'team' })).toEqual(['json']);
    expect(textOf(await call('memory_remove', { key: 'deploy-day' }))).toContain(uri);
    await expect(read(uri)).rejects.toThrow('Resource not found');
  });

  it('says which program remembered something, and which of two equal entries to keep', async () => {
    const content = 'The canteen closes at two';
    await call('memory_save', { key: 'for-now', content, importance: 5, tags: ['food'], expires_in_days: 1 });
    const twice = await call('memory_save', { key: 'for-ever', content });
    expect(twice.structuredContent).toMatchObject({ outcome: 'created', same_as: 'memory://shared/for-now' });
    const advice =
      'If they mean one thing, save memory://shared/for-ever with importance 5 and the tags food, and remove ' +
      'memory://shared/for-now, which expires on ';
    expect(textOf(twice)).toContain(advice);
    expect(twice.structuredContent['hint']).toContain(advice);
    const found = await call('memory_search', { query: 'canteen' });
    expect(found.structuredContent.hits).toMatchObject([{ program: 'ide' }, { program: 'ide' }]);
    expect(textOf(found)).toContain('saved by ide (default)');
    expect((await service.admin('GET', 'memory/shared/for-ever')).body).toMatchObject({
      client: 'default',
      program: 'ide',
      expiresAt: null,
    });
  });

  it('browses what is remembered without a query', async () => {
    for (const key of ['one', 'two', 'three']) {
      await call('memory_save', { key, content: `content of ${key}`, namespace: 'browsed', tags: ['odd', key] });
    }
    const keysOf = async (args: Record<string, unknown>) => {
      const { structuredContent } = await call('memory_search', { namespace: 'browsed', ...args });
      return structuredContent.hits.map(({ key }) => key);
    };
    expect(await keysOf({})).toEqual(['three', 'two', 'one']);
    expect(await keysOf({ tags: ['odd', 'two'] })).toEqual(['two']);
    expect(await keysOf({ query: 'content', tags: ['one'] })).toEqual(['one']);
    expect(await keysOf({ before: 'memory://browsed/two' })).toEqual(['one']);
    const first = await call('memory_search', { namespace: 'browsed', limit: 1 });
    expect(first.structuredContent['hint']).toContain('call again with before "memory://browsed/three"');
    expect(await call('memory_search', { before: 'two' })).toMatchObject({ isError: true });
    const last = await call('memory_search', { namespace: 'browsed', before: 'memory://browsed/one' });
    expect(textOf(last)).toBe('Nothing older is remembered that fits: the list ends with memory://browsed/one.');
    const { structuredContent } = await call('knowledge_search', { limit: 50 });
    const before = structuredContent.hits.at(-1)?.uri;
    const none = `There are no older documents that fit: the list ends with ${String(before)}.`;
    expect(textOf(await call('knowledge_search', { before }))).toBe(none);
  });

  it('makes an entry that expires permanent', async () => {
    await call('memory_save', { key: 'kept', content: 'kept', expires_in_days: 1 });
    const again = await call('memory_save', { key: 'kept', content: 'kept' });
    expect(again.structuredContent).toMatchObject({ outcome: 'unchanged', expires: expect.any(String) as string });
    expect(textOf(again)).toMatch(/It expires on \d{4}-\d\d-\d\d; expires_in_days 0 keeps it for ever/);
    const forEver = await call('memory_save', { key: 'kept', content: 'kept', expires_in_days: 0 });
    expect(forEver.structuredContent).toEqual({
      ...{ uri: 'memory://shared/kept', outcome: 'updated', version: 2 },
      hint: 'Replaced the content of memory://shared/kept (updated); this is version 2.',
    });
    expect((await service.admin('GET', 'memory/shared/kept')).body).toMatchObject({ expiresAt: null });
  });

  it('lists all documents in pages of a thousand, each once and in a stable order', async () => {
    for (const part of ['a', 'b', 'c']) {
      const files = Array.from({ length: 400 }, (_, index) => ({
        path: `many/${part}${index}.md`,
        content: `# ${index}`,
      }));
      expect((await service.admin('POST', 'knowledge/import', { files })).status).toBe(200);
    }
    const pages: string[][] = [];
    for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined;) {
      const { resources, nextCursor } = await client.listResources({ cursor });
      pages.push(resources.map(({ uri }) => uri));
      cursor = nextCursor;
    }
    expect(pages.map(({ length }) => length)).toEqual([1_000, expect.any(Number)]);
    const uris = pages.flat();
    expect(new Set(uris).size).toBe(uris.length);
    expect(uris.filter((uri) => uri.startsWith('knowledge:')).length).toBeGreaterThanOrEqual(1_200);
    expect(uris.filter((uri) => uri.startsWith('config:')).length).toBeGreaterThan(10);
    expect(uris.findLastIndex((uri) => !uri.startsWith('config:'))).toBeLessThan(
      uris.findIndex((uri) => uri.startsWith('config:')),
    );
    await expect(client.listResources({ cursor: 'nonsense' })).rejects.toMatchObject({ code: -32602 });
  });

  it('administers documents over REST', async () => {
    const created = await service.admin('POST', 'knowledge', { title: 'Zebra', content: 'striped', tags: ['Animal'] });
    expect(created).toMatchObject({ status: 201, body: { outcome: 'created', tags: ['animal'], source: 'admin' } });
    const path = `knowledge/${String(created.body['id'])}`;
    const changed = await service.admin('PUT', path, { content: 'striped horse' });
    expect(changed).toMatchObject({ status: 200, body: { outcome: 'updated', title: 'Zebra', tags: ['animal'] } });
    expect(await service.admin('GET', path)).toMatchObject({ status: 200, body: { content: 'striped horse' } });
    const found = await service.admin('GET', 'knowledge?q=hors&tag=animal');
    expect(found.body['items']).toMatchObject([
      {
        title: 'Zebra',
        passage: { section: [], content: 'striped horse', start: 0, matches: [{ start: 8, end: 13 }] },
      },
    ]);
    const listed = await service.admin('GET', 'knowledge?tag=animal&limit=1');
    expect(listed.body).toMatchObject({ items: [{ title: 'Zebra', passage: null }], nextCursor: null });
    expect((await service.admin('DELETE', path)).status).toBe(204);
    expect(await service.admin('GET', path)).toMatchObject({
      status: 404,
      body: { code: 'knowledge.document_not_found' },
    });
    expect((await service.admin('PUT', path, { title: 'x' })).status).toBe(404);
    expect((await service.admin('POST', 'knowledge', { title: '', content: 7 })).status).toBe(400);
  });

  it('imports and exports documents over REST', async () => {
    const files = [
      { path: 'wiki/a.md', content: '# Alpha\n\ntext' },
      { path: 'wiki/b', content: '<h1>Beta</h1>', type: 'html' },
    ];
    const first = await service.admin('POST', 'knowledge/import', { files });
    expect(first).toMatchObject({ status: 200, body: { files: [{ outcome: 'created' }, { outcome: 'created' }] } });
    const again = await service.admin('POST', 'knowledge/import', { files });
    expect(again.body).toMatchObject({ files: [{ outcome: 'unchanged' }, { outcome: 'unchanged' }] });
    const { body } = await service.admin('GET', 'knowledge/export');
    expect(body['items']).toEqual(
      expect.arrayContaining([expect.objectContaining({ path: 'wiki/b', content: '# Beta', title: 'Beta' })]),
    );
    const large = [
      { path: 'wiki/large.md', content: 'word '.repeat(199_000) },
      { path: 'wiki/l2.md', content: 'word '.repeat(150_000) },
    ];
    expect((await service.admin('POST', 'knowledge/import', { files: large })).status).toBe(200);
  });

  it('administers the memory over REST', async () => {
    const body = { key: 'lunch', content: 'at noon', namespace: 'team2', expiresInDays: 2 };
    expect(await service.admin('POST', 'memory', body)).toMatchObject({
      status: 201,
      body: {
        outcome: 'created',
        uri: 'memory://team2/lunch',
        client: 'admin',
        expiresAt: expect.any(String) as string,
      },
    });
    expect(await service.admin('PUT', 'memory/team2/lunch', { content: 'at one', expiresInDays: null })).toMatchObject({
      body: { outcome: 'updated', version: 2, expiresAt: null },
    });
    expect(await service.admin('GET', 'memory/team2/lunch')).toMatchObject({ body: { content: 'at one' } });
    expect(await service.admin('GET', 'memory/team2/lunch/history')).toMatchObject({
      body: { items: [{ version: 1, content: 'at noon' }] },
    });
    expect(await service.admin('GET', 'memory?q=one&namespace=team2')).toMatchObject({
      body: { items: [{ key: 'lunch' }] },
    });
    expect(await service.admin('GET', 'memory?namespace=team2')).toMatchObject({ body: { items: [{ key: 'lunch' }] } });
    expect((await service.admin('DELETE', 'memory/team2/lunch')).status).toBe(204);
    expect((await service.admin('PUT', 'memory/team2/lunch', { content: 'x' })).status).toBe(404);
    expect((await service.admin('POST', 'memory', { key: 'No', content: 'x' })).status).toBe(400);
  });
});
