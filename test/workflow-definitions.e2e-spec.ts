import { writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SkillRegistry } from '../src/core/skills/skill.registry.js';
import { WorkflowDefinitions } from '../src/features/workflows/definitions/workflow-definitions.service.js';
import { KEY, TestService } from './support/service.js';
import { messagesOf } from './support/stream-messages.js';
import { until } from './support/until.js';
import { temporaryFolder } from './support/temporary-folder.js';

const text = (name: string, version = '1.0.0', task = 'set: { answer: 42 }') => `document:
  dsl: 1.0.3
  namespace: test
  name: ${name}
  version: ${version}
  title: An example
  summary: Use this to see an example.
input:
  schema: { document: { type: object, properties: { a: { type: string } } } }
schedule: { cron: 0 7 * * * }
do:
  - work:
      ${task}
`;

interface Answer {
  status: number;
  body: Record<string, unknown> & {
    items: Record<string, unknown>[];
    errors: { path: string; line: number; column: number; message: string }[];
    problems: { severity: string; path: string; line: number }[];
  };
}

describe('workflows', () => {
  let service: TestService;
  let folder: string;

  beforeAll(async () => {
    folder = temporaryFolder();
    service = await TestService.start({ env: { WORKFLOWS_DIR: folder } });
  });
  afterAll(() => service.stop());

  async function api(method: string, path: string, body?: object): Promise<Answer> {
    return (await service.admin(method, path, body)) as Answer;
  }

  async function mcp(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const session = await service.openSession();
    const response = await service.post({ jsonrpc: '2.0', id: 2, method, params }, session);
    const answered = await response.text();
    const json = answered.startsWith('{') ? answered : (/^data: (\{.*"id":2.*\})$/m.exec(answered)?.[1] ?? '{}');
    return JSON.parse(json) as Record<string, unknown>;
  }

  it('are tools as soon as the save is acknowledged, and no longer when they are deleted', async () => {
    const definitions = service.app.get(WorkflowDefinitions, { strict: false });
    const registry = service.app.get(SkillRegistry, { strict: false });
    await definitions.save(text('at-once'), { source: 'admin' });
    expect(registry.find('at-once')).toBeDefined();
    await definitions.setEnabled('at-once', false);
    expect(registry.find('at-once')).toBeUndefined();
    await definitions.setEnabled('at-once', true);
    expect(registry.find('at-once')).toBeDefined();
    await definitions.remove('at-once');
    expect(registry.find('at-once')).toBeUndefined();
  });

  it('are saved, shown, versioned, disabled and deleted by administrators', async () => {
    const created = await api('POST', 'workflows', { definition: text('first') });
    expect(created).toMatchObject({
      status: 201,
      body: {
        name: 'first',
        version: '1.0.0',
        title: 'An example',
        enabled: true,
        source: 'admin',
        schedule: 'cron 0 7 * * *',
        problems: [],
        diagram: expect.stringContaining('t_do_0_work') as string,
        inputSchema: { type: 'object' },
        definition: text('first'),
      },
    });
    expect(await api('POST', 'workflows', { definition: text('first', '1.0.1') })).toMatchObject({ status: 409 });
    expect(await api('PUT', 'workflows/first', { definition: text('first', '1.1.0') })).toMatchObject({ status: 200 });
    expect(await api('PUT', 'workflows/first', { definition: text('second') })).toMatchObject({ status: 400 });
    expect(await api('PUT', 'workflows/nosuch', { definition: text('nosuch') })).toMatchObject({ status: 404 });
    expect((await api('GET', 'workflows/first/versions')).body.items).toMatchObject([
      { version: '1.1.0' },
      { version: '1.0.0' },
    ]);
    expect((await api('GET', 'workflows/first/versions/1.0.0')).body).toMatchObject({ definition: text('first') });
    expect(await api('GET', 'workflows/first/versions/9.9.9')).toMatchObject({ status: 404 });
    expect((await api('PUT', 'workflows/first/current', { version: '1.0.0' })).body).toMatchObject({
      version: '1.0.0',
    });
    expect((await api('PUT', 'workflows/first/enabled', { enabled: false })).body).toMatchObject({ enabled: false });
    expect((await api('GET', 'workflows?q=IRS')).body.items).toMatchObject([
      { name: 'first', enabled: false, problems: 0 },
    ]);
    expect(await api('POST', 'workflows/first/start', {})).toMatchObject({ status: 409 });
    expect((await api('PUT', 'workflows/first/enabled', { enabled: true })).body).toMatchObject({ enabled: true });
    expect((await api('DELETE', 'workflows/first')).status).toBe(204);
    expect(await api('DELETE', 'workflows/first')).toMatchObject({
      status: 404,
      body: { code: 'workflows.not_found' },
    });
  });

  it('are validated as one types, and refused with every mistake at its line', async () => {
    const wrong = text('wrong', '1.0.0', 'call: knowledge_sav\n      then: nowhere');
    const validated = await api('POST', 'workflows/validate', { definition: wrong });
    expect(validated.status).toBe(200);
    expect(validated.body.problems.map(({ path, line }) => `${path} ${line}`)).toEqual([
      '/do/0/work/call 13',
      '/do/0/work/then 14',
    ]);
    const saved = await api('POST', 'workflows', { definition: wrong });
    expect([saved.status, saved.body['code']]).toEqual([400, 'workflows.invalid_definition']);
    expect(saved.body.errors).toEqual([
      { path: '/do/0/work/call', line: 13, column: 13, message: expect.stringContaining('"knowledge_save"') as string },
      {
        path: '/do/0/work/then',
        line: 14,
        column: 13,
        message: expect.stringContaining('no task "nowhere"') as string,
      },
    ]);
    for (const definition of ['', '{', 'x'.repeat(300_000), '# \u0001', '- ['.repeat(50_000)]) {
      const { status, body } = await api('POST', 'workflows/validate', { definition });
      expect([status, body.problems[0]?.severity]).toEqual([200, 'error']);
    }
    const schema = (await api('GET', 'workflows/schema')).body;
    expect(schema).toMatchObject({ title: 'Workflow', type: 'object' });
    const { task } = schema['$defs'] as { task: { anyOf: { title: string }[] } };
    const called = task.anyOf;
    expect(called.find(({ title }) => title === 'call memory_save')).toMatchObject({
      properties: { call: { const: 'memory_save' }, with: { properties: { key: {}, content: {} } } },
      required: ['call', 'with'],
    });
  });

  it('start runs that are durable, once for each idempotency key', async () => {
    await api('POST', 'workflows', { definition: text('started') });
    expect(await api('POST', 'workflows/started/start', { input: { a: 1 } })).toMatchObject({
      status: 400,
      body: { code: 'workflows.input_invalid', errors: [{ path: 'input', message: '/a must be string' }] },
    });
    const first = await api('POST', 'workflows/started/start', { input: { a: 'x' }, idempotencyKey: 'k' });
    const second = await api('POST', 'workflows/started/start', { input: { a: 'y' }, idempotencyKey: 'k' });
    expect([first.status, first.body['origin'], second.body['id']]).toEqual([201, 'admin', first.body['id']]);
    const output = async () => (await api('GET', `runs/${String(first.body['id'])}`)).body['output'];
    await until(async () => (await output()) !== null);
    expect(await output()).toEqual({ answer: 42 });
    const changed = await api('PUT', 'workflows/started', {
      definition: text('started', '1.0.0', 'set: { answer: 43 }'),
    });
    expect([changed.status, changed.body['code']]).toEqual([409, 'workflows.version_has_run']);
    expect(await api('POST', 'workflows/started/start', { version: '2.0.0' })).toMatchObject({ status: 404 });
    expect(await api('POST', 'workflows/started/test-task', { task: '/do/0/work', input: {} })).toMatchObject({
      status: 201,
      body: { isTest: true },
    });
    expect(await api('POST', 'workflows/started/test-task', { task: '/do/7/work', input: {} })).toMatchObject({
      status: 404,
      body: { code: 'workflows.task_not_found' },
    });
  });

  it('take every member of an input, whatever its name, however they are started', async () => {
    const definition = text('whole', '1.0.0', "set: '${ . }'");
    await api('POST', 'workflows', { definition });
    const input = '{"constructor":1,"__proto__":{"a":2},"toString":{"valueOf":[3]}}';
    const { body } = await api('POST', 'workflows/whole/start', { input: JSON.parse(input) as object });
    const run = async () => (await api('GET', `runs/${String(body['id'])}`)).body;
    await until(async () => (await run())['endedAt'] !== null);
    const called = await mcp('tools/call', { name: 'whole', arguments: JSON.parse(input) as object });
    const { content } = called['result'] as { content: { text: string }[] };
    const membersOf = (value: unknown) =>
      Object.entries(value as object)
        .map((member) => JSON.stringify(member))
        .sort();
    expect(membersOf((await run())['output'])).toEqual(membersOf(JSON.parse(input)));
    expect(membersOf(JSON.parse(content[0]?.text ?? ''))).toEqual(membersOf(JSON.parse(input)));
  });

  it('have tasks that are tried alone with the variables around them', async () => {
    const tasks =
      '{ for: { each: pet, in: [ada, ben] }, do: [{ say: { set: { pet: "${ $pet }", at: "${ $index }" } } }] }';
    const definition = `${text('walked').split('do:')[0]}do: [{ loop: ${tasks} }]\n`;
    expect((await api('POST', 'workflows', { definition })).status).toBe(201);
    const tried = async (more: object) => {
      const body = { task: '/do/0/loop/do/0/say', input: {}, ...more };
      const id = String((await api('POST', 'workflows/walked/test-task', body)).body['id']);
      await until(async () => (await api('GET', `runs/${id}`)).body['endedAt'] !== null);
      return (await api('GET', `runs/${id}`)).body['output'];
    };
    expect(await tried({})).toEqual({ pet: 'ada', at: 0 });
    expect(await tried({ variables: { pet: 'cleo' } })).toEqual({ pet: 'cleo', at: 0 });
  });

  it('are tried with an event where events start them, and are not tools then', async () => {
    const definition = `document: { dsl: 1.0.3, namespace: test, name: heard, version: 1.0.0, summary: Hears. }
schedule: { on: { one: { with: { type: document.saved, data: '\${ .tags | length > 0 }' } } } }
do: [{ say: { set: { title: '\${ .[0].title }' } } }]
`;
    await api('POST', 'workflows', { definition });
    const { body: workflow } = await api('GET', 'workflows/heard');
    const event = workflow['exampleEvent'] as { type: string; data: object };
    expect(event).toMatchObject({ type: 'document.saved', data: { title: 'Deploying' } });
    const started = await api('POST', 'workflows/heard/start', { event: { data: { ...event.data, title: 'Mine' } } });
    expect(started.status).toBe(201);
    const run = async () => (await api('GET', `runs/${String(started.body['id'])}`)).body;
    await until(async () => (await run())['output'] !== null);
    expect(await run()).toMatchObject({ status: 'completed', origin: 'admin', output: { title: 'Mine' } });

    const refusals: [object, string, RegExp][] = [
      [{}, 'workflows.started_otherwise', /give an "event"/],
      [{ input: {} }, 'workflows.started_otherwise', /give an "event"/],
      [{ event: { ...event, type: 'memory.saved' } }, 'workflows.event_invalid', /filter is \{"type":"document.saved"/],
      [{ event: { data: { tags: [] } } }, 'workflows.event_invalid', /does not start the workflow/],
      [{ event: { Type: 'a' } }, 'workflows.event_invalid', /"Type" is no name of an attribute/],
    ];
    for (const [body, code, detail] of refusals) {
      const refused = await api('POST', 'workflows/heard/start', body);
      expect([refused.status, refused.body['code']]).toEqual([400, code]);
      expect(refused.body['detail']).toMatch(detail);
    }
    await api('POST', 'workflows', { definition: text('unheard') });
    expect(await api('POST', 'workflows/unheard/start', { event })).toMatchObject({
      status: 400,
      body: { code: 'workflows.started_otherwise' },
    });
    expect((await api('GET', 'workflows/unheard')).body['exampleEvent']).toBeNull();
    const { result } = (await (await service.postStateless('tools/list')).json()) as {
      result: { tools: { name: string }[] };
    };
    const offered = result.tools.map(({ name }) => name);
    expect([offered.includes('unheard'), offered.includes('heard')]).toEqual([true, false]);
  });

  it('run again from a step by the current version, unless it differs in what leads there', async () => {
    const sum = (version: string, first: string, last: string) => `document:
  { dsl: 1.0.3, namespace: test, name: mended, version: ${version}, title: Mended, summary: Use this to save. }
do:
  - first: { call: memory_save, with: { key: mended.first, content: '${first}' } }
  - last: { call: memory_save, with: { key: '${last}', content: 'last' } }
`;
    await api('POST', 'workflows', { definition: sum('1.0.0', 'one', 'not a key!') });
    const started = (await api('POST', 'workflows/mended/start', { input: {} })).body['id'] as string;
    const ended = async (id: string) => {
      await until(async () => (await api('GET', `runs/${id}`)).body['endedAt'] !== null);
      return (await api('GET', `runs/${id}`)).body;
    };
    expect(await ended(started)).toMatchObject({ status: 'failed', currentVersion: '1.0.0' });
    await api('PUT', 'workflows/mended', { definition: sum('1.1.0', 'one', 'mended.last') });

    const from = { step: '/do/1/last', input: {} };
    const byOwn = await api('POST', `runs/${started}/repeat`, from);
    expect(await ended(byOwn.body['id'] as string)).toMatchObject({ status: 'failed', version: '1.0.0' });
    const byCurrent = await api('POST', `runs/${started}/repeat`, { ...from, version: 'current' });
    expect(byCurrent).toMatchObject({ status: 201, body: { version: '1.1.0', origin: 'repeat' } });
    const mended = byCurrent.body['id'] as string;
    expect(await ended(mended)).toMatchObject({ status: 'completed', currentVersion: '1.1.0' });
    const first = async (id: string) => {
      const steps = (await api('GET', `runs/${id}/steps`)).body['items'] as { name: string }[];
      return steps.find(({ name }) => name === '/do/0/first');
    };
    expect(await first(started)).toBeDefined();
    expect(await first(mended)).toEqual(await first(started));

    await api('PUT', 'workflows/mended', { definition: sum('1.2.0', 'two', 'mended.last') });
    const refused = await api('POST', `runs/${started}/repeat`, { ...from, version: 'current' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'runs.not_repeatable' } });
    expect(refused.body['detail']).toMatch(/version 1\.2\.0 differs from version 1\.0\.0, .* at \/do\/0\/first\./);
    expect(await api('POST', `runs/${started}/repeat`, { version: 'newest' })).toMatchObject({ status: 400 });
    const whole = await api('POST', `runs/${started}/repeat`, { version: 'current' });
    expect(await ended(whole.body['id'] as string)).toMatchObject({ status: 'completed', version: '1.2.0' });
  });

  it('are tools and resources of clients as soon as they are saved', async () => {
    await api('POST', 'workflows', { definition: text('offered') });
    await until(async () => JSON.stringify(await mcp('tools/list')).includes('"offered"'));
    const yaml = await mcp('resources/read', { uri: 'workflow://offered' });
    expect(yaml).toMatchObject({ result: { contents: [{ mimeType: 'application/yaml', text: text('offered') }] } });
    const diagram = await mcp('resources/read', { uri: 'workflow://offered/diagram' });
    expect(JSON.stringify(diagram)).toContain('flowchart TD');
    expect(await mcp('resources/read', { uri: 'workflow://nosuch' })).toMatchObject({ error: { code: -32002 } });
    expect(JSON.stringify(await mcp('resources/list'))).toContain('"workflow://offered"');
    const ref = { type: 'ref/resource', uri: 'workflow://{name}' };
    const completed = await mcp('completion/complete', { ref, argument: { name: 'name', value: 'off' } });
    expect(completed).toMatchObject({ result: { completion: { values: ['offered'] } } });
  });

  it('take no arguments when they declare no input, and say so', async () => {
    const plain = text('plain').replace(/input:\n.*\n/, '');
    await api('POST', 'workflows', { definition: plain });
    const { result } = await mcp('tools/list');
    const tool = (result as { tools: { name: string }[] }).tools.find(({ name }) => name === 'plain');
    expect(tool).toMatchObject({ inputSchema: { type: 'object', properties: {}, additionalProperties: false } });
    const { result: refused } = await mcp('tools/call', { name: 'plain', arguments: { a: 1 } });
    expect(JSON.stringify(refused)).toContain('unknown property \\"a\\"');
    expect(await mcp('tools/call', { name: 'plain', arguments: {} })).toMatchObject({
      result: { content: [{ text: '{"answer":42}' }] },
    });
  });

  it('are saved with a warning when a skill would refuse an argument', async () => {
    const work = 'call: feed_items\n      with: { limit: many, query: "${ .topic }", since: "2026-01-01" }';
    const { body } = await api('POST', 'workflows/validate', { definition: text('limited', '1.0.0', work) });
    const message = 'does not fit the input schema of the skill "feed_items": limit: must be integer';
    expect(body['problems']).toEqual([expect.objectContaining({ severity: 'warning', message })]);
    expect((await api('POST', 'workflows', { definition: text('limited', '1.0.0', work) })).status).toBe(201);
  });

  it('show clients the title of an error that they raise', async () => {
    const raise =
      "raise: { error: { type: 'https://example.com/tea', status: 418, title: A teapot, detail: It is short } }";
    await api('POST', 'workflows', { definition: text('raising', '1.0.0', raise) });
    await until(async () => JSON.stringify(await mcp('tools/list')).includes('"raising"'));
    const told = JSON.stringify(await mcp('tools/call', { name: 'raising', arguments: {} }));
    expect(told).toContain('raising failed at /do/0/work: A teapot: It is short. run://');
  });

  it('come from files, too, as long as the files are there', async () => {
    await writeFile(join(folder, 'filed.yaml'), text('filed'));
    await until(async () => (await api('GET', 'workflows/filed')).status === 200);
    expect(await api('DELETE', 'workflows/filed')).toMatchObject({
      status: 409,
      body: { code: 'workflows.from_file' },
    });
    await writeFile(join(folder, 'broken.yaml'), text('broken', '1.0.0', 'wait: soon'));
    const broken = async () => (await api('GET', 'workflows')).body['brokenFiles'] as unknown[];
    await until(async () => (await broken()).length === 1);
    expect(await broken()).toMatchObject([{ file: 'broken.yaml', name: 'broken', problems: [{ line: 13 }] }]);
    await rm(join(folder, 'filed.yaml'));
    await until(async () => (await api('GET', 'workflows/filed')).status === 404);
  });

  it('notify clients of files that change, also while the service is down', async () => {
    const session = await service.openSession();
    const params = { uri: 'workflow://redeployed' };
    await service.post({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params }, session);
    const allChanges = async () => {
      const stream = await fetch(service.mcpUrl, { headers: { authorization: `Bearer ${KEY}`, ...session } });
      const awaited = new Set(['tools/list_changed', 'resources/list_changed', 'resources/updated']);
      for await (const { method } of messagesOf(stream)) {
        awaited.delete(String(method).replace('notifications/', ''));
        if (awaited.size === 0) return;
      }
    };
    const file = join(folder, 'redeployed.yaml');
    await writeFile(file, text('redeployed'));
    await allChanges();
    await service.stop({ keepData: true });
    await writeFile(file, text('redeployed', '1.0.1').replace('An example', 'Another title'));
    const { port } = new URL(service.origin);
    service = await TestService.start({ env: { WORKFLOWS_DIR: folder, DATA_DIR: service.dataDir, PORT: port } });
    await allChanges();
  });
});
