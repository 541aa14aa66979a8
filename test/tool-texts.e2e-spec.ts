import { FeedServer, rssDocument } from './feeds/feed-server.js';
import { TestService } from './support/service.js';
import { unsaid } from './support/unsaid.js';

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

interface Result {
  content: { text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

describe('what a model reads of a tool', () => {
  let service: TestService;
  let publisher: FeedServer;
  let tools: Tool[];
  beforeAll(async () => {
    publisher = await FeedServer.start();
    publisher.publish('/feed.xml', rssDocument('Daily News', [{ id: 'b' }, { id: 'a', text: 'About it' }]));
    service = await TestService.start({ env: { HTTP_ALLOWED_HOSTS: '127.0.0.1' } });
    const { result } = (await (await service.postStateless('tools/list')).json()) as { result: { tools: Tool[] } };
    tools = result.tools;
  });
  afterAll(async () => {
    await service.stop();
    publisher.stop();
  });

  const call = async (name: string, args: object): Promise<Result> => {
    const answer = await service.postStateless('tools/call', { name, arguments: args });
    return ((await answer.json()) as { result: Result }).result;
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
      ['feed_items', {}],
      ['feed_subscribe', { url: feed }],
      ['feed_subscribe', { url: feed }],
      ['feed_items', { limit: 1 }],
      ['feed_items', {}],
      ['feed_unsubscribe', { feed }],
      ['system_info', {}],
    ];
    const called = new Set<string>();
    for (const [name, args, outcome] of steps) {
      const result = await call(name, args);
      const said = [name, args, result.isError, unsaid(result)];
      expect(said).toEqual([name, args, undefined, []]);
      if (outcome !== undefined) expect(result.structuredContent).toMatchObject({ outcome });
      if (name !== 'system_info') expect(result.structuredContent).toHaveProperty('hint');
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
      ['memory_save', { key: 'Not a key', content: 'x' }, /lower-case letters/],
      ['memory_search', { limit: 0 }, /limit/],
      ['memory_remove', { key: 'not-there' }, /not-there/],
      ['feed_items', { feed: 'no-feed' }, /no-feed/],
      ['feed_subscribe', { url: publisher.url('/nothing.xml') }, /404/],
      ['feed_unsubscribe', { feed: 'no-feed' }, /no-feed/],
      ['resource_read', { uri: 'knowledge://documents/nothing-here' }, /knowledge_search/],
      ['resource_read', { uri: 'nothing' }, /nothing/],
      ['run_status', { id: none }, /0123456789abcdef/],
      ['run_cancel', { id: none }, /0123456789abcdef/],
      ['run_list', { limit: 0 }, /limit/],
      ['system_info', { verbose: true }, /verbose/],
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

  it('takes arguments as models write them', async () => {
    expect(await call('memory_save', { key: 'c', content: 'x', namespace: null, importance: '4' })).toMatchObject({
      structuredContent: { uri: 'memory://shared/c' },
    });
    const refused = await call('memory_save', { key: 'Not a Key', content: 'x' });
    expect(refused.isError).toBe(true);
    expect(refused.content[0]?.text).toContain('key: does not fit: Name of the entry, such as "deploy-day"');
  });
});
