import { SkillRegistry } from '../src/core/skills/skill.registry.js';
import { answerIn } from './harness/stateless-message.js';
import { FeedServer, rssDocument } from './feeds/feed-server.js';
import { LlmServer, streamed } from './support/llm-server.js';
import { TestService, type ToolResult } from './support/service.js';
import { TestSkillsModule } from './support/test-skills.module.js';
import { unsaid } from './support/unsaid.js';
import { until } from './support/until.js';

interface Schema {
  type?: string;
  description?: string;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
}

interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema;
  outputSchema?: Schema;
}

describe('what a model reads of a tool', () => {
  let service: TestService;
  let publisher: FeedServer;
  let llm: LlmServer;
  let tools: Tool[];
  beforeAll(async () => {
    publisher = await FeedServer.start();
    publisher.publish('/feed.xml', rssDocument('Daily News', [{ id: 'b' }, { id: 'a', text: 'About it' }]));
    llm = await LlmServer.start();
    llm.otherwise = (asked, response, request) => {
      const isAgent = asked.messages[0]?.content.startsWith('You complete a task');
      const json = isAgent ? '{"tool":null,"answer":"It is sorted."}' : '{"label":"bug"}';
      return streamed(json)(asked, response, request);
    };
    // With a model that clients may use, its tools are listed as well.
    const models = { LLM_URL: llm.url, LLM_MODELS: 'gpt-x', LLM_CLIENTS: 'on' };
    service = await TestService.start({
      env: { HTTP_ALLOWED_HOSTS: '127.0.0.1', MCP_SEARCH_AND_FETCH: 'on', ...models },
    });
    const { result } = (await (await service.postStateless('tools/list')).json()) as { result: { tools: Tool[] } };
    tools = result.tools;
  });
  afterAll(async () => {
    await service.stop();
    publisher.stop();
    await llm.stop();
  });

  const call = (name: string, args: object) => service.call(name, args);
  /** Returns the id of a failed run with earlier steps. */
  const runOfAWorkflow = async () => {
    await service.admin('POST', 'workflows', { definition: FAILS });
    await call('fails', {});
    return ((await service.admin('GET', 'runs')).body['items'] as { id: string }[])[0]?.id;
  };
  const parameters = () =>
    tools.flatMap(({ name, inputSchema: { properties = {}, required = [] } }) =>
      Object.entries(properties).map(([parameter, schema]) => ({
        path: `${name}.${parameter}`,
        schema,
        isRequired: required.includes(parameter),
      })),
    );

  it('describes every parameter, with an example and its default', () => {
    expect(parameters().length).toBeGreaterThan(35);
    const undescribed = parameters().filter(
      ({ schema: { description = '' } }) => !/such as|for example/i.test(description),
    );
    expect(undescribed.map(({ path }) => path)).toEqual([]);
    const withoutDefault = parameters().filter(
      ({ isRequired, schema }) =>
        !isRequired && schema.default === undefined && !/by default/i.test(schema.description ?? ''),
    );
    expect(withoutDefault.map(({ path }) => path)).toEqual([]);
  });

  it('gives every parameter one plain type', () => {
    const types = ['string', 'integer', 'number', 'boolean', 'array', 'object'];
    expect(parameters().filter(({ schema }) => !types.includes(schema.type ?? ''))).toEqual([]);
    expect(JSON.stringify(tools.map(({ inputSchema }) => inputSchema))).not.toMatch(/"(oneOf|anyOf|allOf|\$ref)"/);
  });

  it('has schemas that can be checked against: those of classes are compiled when a call comes', () => {
    for (const skill of service.app.get(SkillRegistry, { strict: false }).list()) {
      expect(() => [skill.parse({}), skill.outputProblems({})]).not.toThrow();
    }
  });

  it('has short names, and descriptions of at most a kilobyte', () => {
    expect(tools.filter(({ name }) => name.length > 40)).toEqual([]);
    expect(tools.filter(({ description }) => Buffer.byteLength(description) > 1_024).map(({ name }) => name)).toEqual(
      [],
    );
  });

  it.each([
    ['docs', 'knowledge_search'],
    ['documentation', 'knowledge_search'],
    ['handbook', 'knowledge_search'],
    ['wiki', 'knowledge_search'],
    ['runbook', 'knowledge_search'],
    ['how-to', 'knowledge_save'],
    ['wiki', 'knowledge_edit'],
    ['wiki', 'knowledge_restore'],
    ['notes', 'memory_search'],
    ['remember', 'memory_save'],
    ['note', 'memory_save'],
    ['news', 'feed_items'],
    ['RSS', 'feed_items'],
    ['RSS', 'feed_subscribe'],
  ])('is found by %s: %s', (word, name) => {
    const tool = tools.find((one) => one.name === name);
    const [first = ''] = tool?.description.split(/\.\s/) ?? [];
    expect(`${tool?.title} ${first}`).toContain(word);
  });

  it('says the same in the text and in the structured result, whatever comes out', async () => {
    const feed = publisher.url('/feed.xml');
    const long = 'word '.repeat(1_000);
    const steps: [string, object, string?][] = [
      ['knowledge_search', { query: 'nothing there' }],
      ['knowledge_search', {}],
      ['knowledge_save', { title: 'Plan', content: `# Plan\n\n${long}\n\n## Next\n\nzebra`, tags: ['ops'] }, 'created'],
      ['knowledge_save', { title: 'Plan', content: 'another' }, 'created'],
      ['knowledge_save', { uri: 'knowledge://documents/plan-2', content: 'other' }, 'updated'],
      ['knowledge_save', { id: 'plan-2', content: 'other' }, 'unchanged'],
      ['knowledge_edit', { id: 'plan-2', append: 'more' }, 'updated'],
      ['knowledge_edit', { id: 'plan-2', old_text: 'more', new_text: 'more' }, 'unchanged'],
      ['knowledge_restore', { id: 'plan-2' }],
      ['knowledge_search', { query: 'zebra word', max_characters: 100 }],
      ['knowledge_search', { limit: 1 }],
      ['memory_search', { query: 'nothing there' }],
      ['memory_search', {}],
      ['memory_save', { key: 'a', content: long, tags: ['x'], importance: 5, expires_in_days: 3 }, 'created'],
      ['memory_save', { key: 'b', content: long }, 'created'],
      ['memory_save', { key: 'b', content: 'short' }, 'updated'],
      ['memory_save', { key: 'b', content: 'short' }, 'unchanged'],
      ['memory_search', { query: 'word' }],
      ['memory_search', { limit: 1 }],
      ['search', { query: 'zebra word' }],
      ['fetch', { id: 'memory://shared/b' }],
      ['feed_items', {}],
      ['feed_subscribe', { url: feed }],
      ['feed_subscribe', { url: feed }],
      ['feed_items', { limit: 1 }],
      ['feed_items', {}],
      ['feed_unsubscribe', { feed }],
      ['system_info', {}],
      ['llm_generate', { prompt: 'Sort it' }],
      ['llm_classify', { text: 'It crashes', labels: ['bug', 'question'] }],
      ['llm_extract', { text: 'A bug', schema: { type: 'object' } }],
      ['llm_agent', { task: 'Sort it', tools: ['system_info'] }],
      ['run_status', { id: await runOfAWorkflow() }],
    ];
    const called = new Set<string>();
    for (const [name, args, outcome] of steps) {
      if (name === 'knowledge_restore') await call('knowledge_remove', args);
      const result = await call(name, args);
      const said = [name, args, result.isError, unsaid(result)];
      expect(said).toEqual([name, args, undefined, []]);
      if (outcome !== undefined) expect(result.structuredContent).toMatchObject({ outcome });
      if (!/^(system_info|search|fetch|llm_\w+)$/.test(name)) expect(result.structuredContent).toHaveProperty('hint');
      called.add(name);
    }
    expect([...called].sort()).toEqual(tools.filter(({ outputSchema }) => outputSchema).map(({ name }) => name));
  });

  it('says in the text alone why a call failed, and names nothing that a model cannot call', async () => {
    const none = 'run://0123456789abcdef0123456789abcdef';
    await call('memory_save', { key: 'taken', content: 'one' });
    const steps: [string, object, RegExp][] = [
      ['knowledge_search', { limit: 0 }, /limit/],
      ['knowledge_save', { id: 'nothing-here', content: 'x', version: 4 }, /nothing-here/],
      ['knowledge_edit', { id: 'nothing-here', append: 'x' }, /nothing-here/],
      ['knowledge_remove', { id: 'nothing-here' }, /nothing-here/],
      ['knowledge_restore', { id: 'nothing-here' }, /nothing-here/],
      ['memory_save', { key: 'Not a key', content: 'x' }, /lower-case letters/],
      ['memory_search', { limit: 0 }, /limit/],
      ['memory_remove', { key: 'not-there' }, /not-there/],
      ['feed_items', { feed: 'no-feed' }, /no-feed/],
      ['feed_subscribe', { url: publisher.url('/nothing.xml') }, /404/],
      ['feed_unsubscribe', { feed: 'no-feed' }, /no-feed/],
      ['resource_read', { uri: 'knowledge://documents/nothing-here' }, /knowledge_search/],
      ['resource_read', { uri: 'nothing' }, /nothing/],
      ['search', { query: '' }, /query/],
      ['fetch', { id: 'nothing' }, /Not found: nothing/],
      ['run_status', { id: none }, /0123456789abcdef/],
      ['run_cancel', { id: none }, /0123456789abcdef/],
      ['run_list', { limit: 0 }, /limit/],
      ['system_info', { verbose: true }, /verbose/],
      ['llm_generate', { prompt: 'a', model: 'none' }, /gpt-x/],
      ['llm_classify', { text: 'a', labels: [] }, /labels/],
      ['llm_extract', { text: 'a', schema: { type: 'array' } }, /"object"/],
      ['llm_agent', { task: 'a', tools: ['no_such_tool'] }, /no_such_tool/],
    ];
    for (const [name, args, reason] of steps) {
      const { isError, content, structuredContent } = await call(name, args);
      const text = content.map((block) => block.text).join('\n');
      expect([name, args, isError, structuredContent]).toEqual([name, args, true, undefined]);
      expect(text).toMatch(reason);
      expect(text).not.toMatch(/\b(?:tools|resources|prompts|completion|tasks)\/[a-z]+\b/);
    }
    expect([...new Set(steps.map(([name]) => name))].sort()).toEqual(tools.map(({ name }) => name).sort());
  });

  it('names the version of a document that is read, whole or in parts', async () => {
    await call('knowledge_save', { title: 'Rota', content: '# Rota\n\nAnn' });
    await call('knowledge_save', { id: 'rota', content: '# Rota\n\nBob' });
    const said = async (args: object) => (await call('resource_read', args)).content.map(({ text }) => text);
    const uri = 'knowledge://documents/rota';
    expect(await said({ uri })).toEqual(['# Rota\n\nBob', '[This is version 2 of the document.]']);
    expect(await said({ uri: `${uri}/history/1` })).toEqual(['# Rota\n\nAnn', '[This is version 1 of the document.]']);
    expect((await said({ uri, lines: '3' })).at(-1)).toBe('[This is version 2 of the document.]');
    const read = (await (await service.postStateless('resources/read', { uri })).json()) as { result: object };
    expect(read.result).toMatchObject({ contents: [{ text: '# Rota\n\nBob', _meta: { version: 2 } }] });
  });

  it('says which URIs there are, to who has one of the store only those of the store', async () => {
    const [own, other] = ['memory://{namespace}/{key}', 'knowledge://documents/{id}'];
    const said = async (uri: string) => (await call('resource_read', { uri })).content[0]?.text ?? '';
    expect(await said('memory://c')).toContain(`URIs look like ${own}`);
    expect(await said('memory://c')).not.toContain(other);
    for (const uri of ['https://example.com', 'a/b']) expect(await said(uri)).toMatch(/memory:.*rss:|rss:.*memory:/);
  });

  it('takes arguments as models write them', async () => {
    expect(await call('memory_save', { key: 'c', content: 'x', namespace: null, importance: '4' })).toMatchObject({
      structuredContent: { uri: 'memory://shared/c' },
    });
    for (const uri of ['memory://shared/c/', ' <memory://shared/c> '])
      expect(await call('resource_read', { uri })).toMatchObject({ content: [{ text: 'x' }] });
    const refused = await call('memory_save', { key: 'Not a Key', content: 'x' });
    expect(refused.isError).toBe(true);
    expect(refused.content[0]?.text).toContain('key: does not fit: Name of the entry, such as "deploy-day"');
  });
});

type Body = Record<string, unknown>;

const CLIENT_WITH_TASKS = {
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};
const workflow = (name: string, tasks: string) =>
  `document: { dsl: 1.0.3, namespace: test, name: ${name}, version: 1.0.0, summary: Is limited. }\ndo:\n${tasks}`;
const FAILS = workflow(
  'fails',
  "  - look: { call: system_info }\n  - read: { call: resource_read, with: { uri: 'none://' } }\n",
);
const WAIT = workflow('wait_long', '  - pause: { wait: { days: 1 } }\n');
const LARGE = workflow('large', `  - say: { set: { text: ${'x'.repeat(5_000)} } }\n`);
const STEP = workflow('step', `  - say: { call: echo, with: { text: ${'y'.repeat(5_000)} } }\n`);

describe('the limits of one tool', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({ imports: [TestSkillsModule] });
    for (const definition of [WAIT, LARGE, STEP]) await service.admin('POST', 'workflows', { definition });
  });
  afterAll(() => service.stop());

  const limit = (tool: string, limits: Body) => service.admin('PUT', `skills/${tool}`, limits);
  const post = async (method: string, params: Body) =>
    answerIn<{ result: Body }>(await service.postStateless(method, params));
  const call = (name: string, args?: Body) => service.call(name, args);
  const textOf = ({ content }: ToolResult) => content[0]?.text ?? '';

  it('abort a call in time, and name the limit', async () => {
    expect((await limit('hang', { timeoutMs: 40 })).body).toMatchObject({ enabled: true, timeoutMs: 40 });
    const result = await call('hang');
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toBe(
      'The tool hang did not finish within 40 ms and was stopped. Ask for less at once, or have the administrator raise ' +
        'the limit of the tool hang on its page under Skills.',
    );
    await service.admin('PUT', 'config/mcp.tool_timeout_ms', { value: 30 });
    await limit('hang', { timeoutMs: null });
    expect(textOf(await call('hang'))).toContain('within 30 ms and was stopped');
    await limit('slowly', { timeoutMs: 10_000 });
    expect(textOf(await call('slowly', { steps: 2, stepMs: 40 }))).toBe('2 steps, slowly');
    await service.admin('DELETE', 'config/mcp.tool_timeout_ms');
  });

  it('replace a result that is too large, and record it as an error', async () => {
    await limit('echo', { maxResultBytes: 2_000 });
    expect(await call('echo', { text: 'x'.repeat(1_900) })).not.toHaveProperty('isError', true);
    const result = await call('echo', { text: 'é'.repeat(1_000) });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toMatch(/^The result is too large: 20\d\d bytes of JSON, the limit is 2000\. Ask for less/);
    expect(textOf(result)).toContain('the limit of the tool echo');
    await until(async () => {
      const { calls, errors } = (await service.admin('GET', 'skills/echo')).body;
      return calls === 2 && errors === 1;
    });
  });

  it('allow one tool more than all others', async () => {
    await service.admin('PUT', 'config/mcp.max_result_bytes', { value: 65_536 });
    await limit('echo', { maxResultBytes: 100_000 });
    expect(await call('echo', { text: 'x'.repeat(99_900) })).not.toHaveProperty('isError', true);
    expect(textOf(await call('echo', { text: 'x'.repeat(100_000) }))).toContain('the limit is 100000');
    const session = await service.openSession();
    const params = { name: 'echo', arguments: { text: 'x'.repeat(99_900) } };
    const answer = await service.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, session);
    expect(await answer.text()).toContain('x'.repeat(99_900));
    await limit('echo', { maxResultBytes: null });
    expect(textOf(await call('echo', { text: 'x'.repeat(65_536) }))).toContain('mcp.max_result_bytes');
    await service.admin('DELETE', 'config/mcp.max_result_bytes');
  });

  it('hold for workflows: how long a call waits, and how large its result is', async () => {
    // It would otherwise have the general time limit.
    await service.admin('PUT', 'config/mcp.tool_timeout_ms', { value: 3_600_000 });
    await limit('wait_long', { timeoutMs: 3_000 });
    expect(textOf(await call('wait_long'))).toContain('run_status');
    await service.admin('DELETE', 'config/mcp.tool_timeout_ms');
    await limit('large', { maxResultBytes: 2_000 });
    expect(textOf(await call('large'))).toContain('the limit of the tool large');
  });

  it('apply to the task that a call becomes', async () => {
    await limit('large', { maxResultBytes: 2_000, timeoutMs: 1 });
    const { result } = await post('tools/call', { name: 'large', arguments: {}, _meta: CLIENT_WITH_TASKS });
    let task: Body = result;
    while (task['status'] === 'working')
      task = (await post('tasks/get', { taskId: task['taskId'], _meta: CLIENT_WITH_TASKS })).result;
    expect(JSON.stringify(task)).toContain('the limit of the tool large');
  });

  it('hold for the steps of a workflow', async () => {
    await limit('echo', { maxResultBytes: 2_000 });
    expect(textOf(await call('step'))).toContain('the limit of the tool echo');
    await limit('echo', { maxResultBytes: null });
    expect(textOf(await call('step'))).toContain('yyyy');
  });

  it.each([
    { timeoutMs: 0 },
    { timeoutMs: 3_600_001 },
    { timeoutMs: 1.5 },
    { timeoutMs: '5' },
    { maxResultBytes: 1_023 },
    { maxResultBytes: 268_435_457 },
    { enabled: null },
  ])('refuse %j', async (body) => {
    const before = (await service.admin('GET', 'skills/ask')).body;
    expect((await limit('ask', { ...body })).status).toBe(400);
    expect((await service.admin('GET', 'skills/ask')).body).toEqual(before);
  });
});
