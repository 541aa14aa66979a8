import { KnowledgeService } from '../src/features/knowledge/knowledge.service.js';
import { TestService } from './support/service.js';

const FORBIDS = (tool: string) => `forbid (principal, action, resource == Tool::"${tool}");`;

const GREETS = (text: string) => `document: { dsl: '1.0.3', namespace: default, name: greet, version: '1.0.0' }
do:
  - say:
      set: { text: ${text} }
`;

interface Answer {
  status: number;
  etag: string | null;
  body: Record<string, unknown> & { version: number | string; present: Record<string, unknown>; detail: string };
}

describe('concurrent changes of the same thing', () => {
  let service: TestService;
  TestService.forSuite((started) => (service = started));

  async function ask(method: string, path: string, body?: object, ifMatch?: string | null): Promise<Answer> {
    const headers = typeof ifMatch === 'string' ? { 'if-match': ifMatch } : {};
    const response = await service.askAdmin(method, path, body, { headers });
    const text = await response.text();
    return {
      status: response.status,
      etag: response.headers.get('etag'),
      body: JSON.parse(text || '{}') as Answer['body'],
    };
  }

  /** Everything that several administrators may edit: how to create it, two changes, and the resulting states. */
  const THINGS: [string, () => Promise<string>, object[], object[]][] = [
    [
      'document',
      async () => {
        const { body } = await ask('POST', 'knowledge', { title: 'A', content: 'zero' });
        return `knowledge/${String(body['id'])}`;
      },
      [{ content: 'one' }, { content: 'two' }],
      [{ content: 'one' }, { content: 'two' }],
    ],
    [
      'memory',
      async () => {
        await ask('POST', 'memory', { key: 'k', content: 'zero' });
        return 'memory/shared/k';
      },
      [{ content: 'one' }, { content: 'two' }],
      [{ content: 'one' }, { content: 'two' }],
    ],
    [
      'setting',
      async () => 'config/mcp.tool_timeout_ms',
      [{ value: 40_000 }, { value: 50_000 }],
      [{ value: 40_000 }, { value: 50_000 }],
    ],
    [
      'policy',
      async () => {
        await ask('POST', 'policies', { name: 'robots', policy: FORBIDS('memory_remove') });
        return 'policies/robots';
      },
      [{ policy: FORBIDS('memory_save') }, { policy: FORBIDS('memory_search') }],
      [{ policy: FORBIDS('memory_save') }, { policy: FORBIDS('memory_search') }],
    ],
  ];

  it.each(THINGS)('are refused for a %s when they are based on another version', async (_name, make, changes, says) => {
    const path = await make();
    const [one = {}, two = {}] = changes;
    const read = await ask('GET', path);
    expect(read.etag).toBe(`"${read.body.version}"`);

    const first = await ask('PUT', path, one, read.etag);
    expect(first).toMatchObject({ status: 200, etag: `"${first.body.version}"`, body: says[0] ?? {} });
    const second = await ask('PUT', path, two, read.etag);
    expect(second).toMatchObject({
      status: 412,
      body: { title: 'Precondition Failed', present: { ...says[0], version: first.body.version } },
    });
    expect(second.body.detail).toMatch(/Nothing was (?:changed|saved)/);
    expect((await ask('GET', path)).body).toMatchObject(says[0] ?? {});

    expect(await ask('DELETE', path, undefined, read.etag)).toMatchObject({ status: 412, body: { present: says[0] } });
    // A proxy that compresses responses turns their tags into weak ones.
    const third = await ask('PUT', path, two, `W/${first.etag ?? ''}`);
    expect(third).toMatchObject({ status: 200, body: says[1] ?? {} });
    expect((await ask('PUT', path, one, '*')).status).toBe(200);
    const last = await ask('PUT', path, two);
    expect(last.status).toBe(200);
    for (const wrong of ['3', '"a", "b"', '""']) expect((await ask('PUT', path, one, wrong)).status).toBe(400);
    const now = (await ask('GET', path)).etag;
    expect((await ask('DELETE', path, undefined, now)).status).toBeLessThan(300);
  });

  it('are refused for a workflow when they are based on another text of it', async () => {
    await ask('POST', 'workflows', { definition: GREETS('zero') });
    const save = (text: string, ifMatch?: string | null) =>
      ask('PUT', 'workflows/greet', { definition: GREETS(text) }, ifMatch);
    const read = await ask('GET', 'workflows/greet');
    expect(read.etag).toBe(`"${String(read.body['revision'])}"`);

    const first = await save('one', read.etag);
    expect(first).toMatchObject({ status: 200, etag: `"${String(first.body['revision'])}"` });
    expect(await save('two', read.etag)).toMatchObject({
      status: 412,
      body: {
        code: 'workflows.moved_on',
        present: { definition: GREETS('one'), revision: first.body['revision'] },
        detail: expect.stringContaining('Nothing was saved') as string,
      },
    });
    expect((await ask('GET', 'workflows/greet')).body).toMatchObject({ definition: GREETS('one') });
    // Whoever disabled it decided about the text at that time.
    await ask('PUT', 'workflows/greet/enabled', { enabled: false });
    expect((await save('two', first.etag)).status).toBe(412);
    const now = (await ask('GET', 'workflows/greet')).etag;
    expect((await save('two', now)).status).toBe(200);
    expect((await save('three')).status).toBe(200);
    expect((await save('four', '3')).status).toBe(400);
  });

  it.each([
    ['policies/both', (text: string) => ({ policy: `// ${text}\n${FORBIDS('memory_remove')}` })],
    ['workflows/greet', (text: string) => ({ definition: GREETS(text) })],
  ])('let one of several at once through, based on the same version: %s', async (path, bodyOf) => {
    await ask('POST', 'policies', { name: 'both', policy: FORBIDS('memory_remove') });
    const { etag } = await ask('GET', path);
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((text) => ask('PUT', path, bodyOf(text), etag)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  it('keep what they replace, as a page of versions, which can be restored', async () => {
    const { body } = await ask('POST', 'knowledge', { title: 'Plan', content: 'first', tags: ['a'] });
    const path = `knowledge/${String(body['id'])}`;
    await ask('PUT', path, { title: 'Other plan', content: 'second', tags: ['b'] }, '"1"');
    const { body: history } = await ask('GET', `${path}/history`);
    expect(history['items']).toEqual([
      { version: 1, title: 'Plan', tags: ['a'], source: 'admin', savedAt: expect.any(String) as string, characters: 5 },
    ]);
    const { body: former } = await ask('GET', `${path}/history/1`);
    expect(former).toMatchObject({ title: 'Plan', content: 'first', tags: ['a'] });
    const { title, content, tags } = former;
    expect(await ask('PUT', path, { title, content, tags }, '"2"')).toMatchObject({
      body: { title: 'Plan', content: 'first', tags: ['a'], version: 3 },
    });
    expect((await ask('GET', `${path}/history/7`)).status).toBe(404);
    expect((await ask('GET', `${path}/history/x`)).status).toBe(400);
    expect((await ask('GET', 'knowledge/none/history')).status).toBe(404);
  });

  it('add an entry of the memory, and replace none, when asked to', async () => {
    const add = (content: string) => service.admin('POST', 'memory', { key: 'new', content }, { 'if-none-match': '*' });
    expect(await add('one')).toMatchObject({ status: 201 });
    expect(await add('two')).toMatchObject({ status: 412, body: { present: { content: 'one' } } });
    expect((await ask('POST', 'memory', { key: 'new', content: 'three' })).body).toMatchObject({ version: 2 });
  });

  it('make an imported document one of who changed it', async () => {
    const saved = await service.app
      .get(KnowledgeService, { strict: false })
      .save({ title: 'A', content: 'a', path: 'x/a.md', source: 'import' });
    const path = `knowledge/${saved.document.id}`;
    expect((await ask('PUT', path, { content: 'b' })).body).toMatchObject({ source: 'admin', path: 'x/a.md' });
    expect((await ask('GET', `${path}/history/${saved.document.version}`)).body).toMatchObject({ source: 'import' });
  });

  it('change one field without undoing what another change did to the others', async () => {
    const { body } = await ask('POST', 'knowledge', { title: 'T', content: 'c' });
    const path = `knowledge/${String(body['id'])}`;
    await Promise.all([
      ask('PUT', path, { title: 'T2' }),
      ask('PUT', path, { content: 'c2' }),
      ask('PUT', path, { tags: ['t'] }),
    ]);
    expect((await ask('GET', path)).body).toMatchObject({ title: 'T2', content: 'c2', tags: ['t'], version: 4 });
  });

  it('change a policy without undoing that another change disabled it', async () => {
    await ask('POST', 'policies', { name: 'halves', policy: FORBIDS('memory_remove') });
    await Promise.all([
      ask('PUT', 'policies/halves', { policy: FORBIDS('memory_save') }),
      ask('PUT', 'policies/halves', { enabled: false }),
    ]);
    expect((await ask('GET', 'policies/halves')).body).toMatchObject({
      policy: FORBIDS('memory_save'),
      enabled: false,
    });
  });

  it('change one limit of a client, and keep the others', async () => {
    await ask('POST', 'clients', { name: 'ci', limits: { calls: 3, sessions: 4 } });
    await ask('PUT', 'clients/ci', { limits: { calls: null, streams: 5 } });
    const limits = { requestsPerMinute: null, calls: null, streams: 5, sessions: 4 };
    expect((await ask('GET', 'clients/ci')).body).toMatchObject({ limits });
  });
});
