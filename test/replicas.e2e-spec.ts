import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { sql } from 'kysely';
import { Database } from '../src/platform/database/database.js';
import { McpTransport } from '../src/entrypoints/mcp/mcp-transport.provider.js';
import { SkillPackages } from '../src/features/packages/skill-packages.service.js';
import { packageOf } from '../src/features/packages/testing.js';
import { workflowText } from '../src/features/workflows/definitions/testing.js';
import { answerIn } from './harness/stateless-message.js';
import { Gate, LongSkillsModule } from './support/long-skills.module.js';
import { describeOnNewPostgres } from './support/postgres.js';
import { KEY, TestService } from './support/service.js';
import { messagesOf } from './support/stream-messages.js';
import { TestSkillsModule } from './support/test-skills.module.js';
import { until } from './support/until.js';

describeOnNewPostgres('two replicas on one PostgreSQL', (database) => {
  let [one, other]: TestService[] = [];
  let client: Client;
  const heard: string[] = [];

  beforeAll(async () => {
    const env = { DATABASE_URL: database.url, MCP_API_KEY: '' };
    const imports = [TestSkillsModule, LongSkillsModule];
    one = await TestService.start({ imports, env });
    await one.admin('PUT', 'config/mcp.api_key', { value: KEY });
    other = await TestService.start({ imports, env });
    client = new Client({ name: 'ide', version: '1.0.0' });
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.push('tools'));
    client.setNotificationHandler(PromptListChangedNotificationSchema, () => void heard.push('prompts'));
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void heard.push('resources'));
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
    await other.connect(client);
    await until(() => otherEndpoint().counts().streams > 0);
  });
  beforeEach(() => void heard.splice(0));
  afterAll(async () => {
    await one?.stop();
    await other?.stop();
  });

  const textOf = ({ contents: [content] }: Awaited<ReturnType<Client['readResource']>>) =>
    content && 'text' in content ? content.text : undefined;
  const replica = (service: TestService | undefined) => {
    if (!service) throw new Error('it did not start');
    return service;
  };
  const otherEndpoint = () => replica(other).app.get(McpTransport).endpoint;
  const timeoutOfOther = async () => (await replica(other).admin('GET', 'config/mcp.tool_timeout_ms')).body['value'];

  it('take over settings from each other at once', async () => {
    await client.subscribeResource({ uri: 'config://mcp.tool_timeout_ms' });
    await replica(one).admin('PUT', 'config/mcp.tool_timeout_ms', { value: 12_345 });
    await until(async () => (await timeoutOfOther()) === 12_345);
    await until(() => heard.includes('config://mcp.tool_timeout_ms'));
    await replica(one).admin('DELETE', 'config/mcp.tool_timeout_ms');
    await until(async () => (await timeoutOfOther()) === 30_000);
    expect((await replica(other).admin('GET', 'config/mcp.tool_timeout_ms')).body['source']).toBe('default');
  });

  it('offer the same tools, and notify a client of a change once', async () => {
    await replica(one).admin('PUT', 'skills/echo', { enabled: false });
    await until(() => heard.includes('tools'));
    await until(async () => !(await client.listTools()).tools.some(({ name }) => name === 'echo'));
    await replica(one).admin('PUT', 'skills/echo', { enabled: true });
    await until(() => heard.filter((what) => what === 'tools').length === 2);
    await until(async () => (await client.listTools()).tools.some(({ name }) => name === 'echo'));
    expect(heard.filter((what) => what === 'tools')).toHaveLength(2);
  });

  it('offer the same skill packages, and notify a client of each list once', async () => {
    const packages = replica(one).app.get(SkillPackages, { strict: false });
    await packages.saveUpload(packageOf('release', { 'a.md': 'first' }), 'admin');
    await until(() => ['tools', 'prompts', 'resources'].every((list) => heard.includes(list)));
    await until(async () => (await client.listPrompts()).prompts.some(({ name }) => name === 'release'));
    const uri = 'skill://release/a.md';
    await until(async () => textOf(await client.readResource({ uri })) === 'first');
    await client.subscribeResource({ uri });
    await packages.saveUpload(packageOf('release', { 'a.md': 'second' }), 'admin');
    await until(() => heard.includes(uri));
    await until(async () => textOf(await client.readResource({ uri })) === 'second');
    await packages.remove('release', 'admin');
    await until(() => heard.filter((what) => what === 'tools').length === 2);
    await until(async () => !(await client.listTools()).tools.some(({ name }) => name === 'skill_read'));
    expect(heard.filter((what) => what === 'tools')).toHaveLength(2);
    await client.unsubscribeResource({ uri });
  });

  it('offer the same skill modules, with the state and the settings that they share', async () => {
    const isThere = async () => (await client.listTools()).tools.some(({ name }) => name === 'counts');
    const code = `export default { name: 'counts', description: 'Counts.', 
      uses: { state: true, settings: { by: { type: 'integer', default: 1 } } }, async execute(input, { state, settings: { by } }) {
      const n = ((await state.get()) ?? 0) + by; await state.set(n); return { n, by }; } };`;
    const { status, body } = await replica(one).admin('POST', 'skill-modules', { file: 'counts.js', code });
    expect(status).toBe(201);
    await until(async () => (await replica(other).admin('GET', 'skill-modules/counts')).body['isWaiting'] === true);
    await replica(one).admin('PUT', 'skill-modules/counts/approved', { version: 1, digest: body['digest'] });
    await until(() => heard.includes('tools'));
    await until(isThere);
    for (const [index, n] of [one, other, one].entries()) {
      expect(await replica(n).call('counts')).toMatchObject({ structuredContent: { n: index + 1 } });
    }
    await replica(other).admin('PUT', 'skill-modules/counts/settings', { values: { by: 10 } });
    await until(async () => JSON.stringify(await replica(one).call('counts')).includes('"by":10'));
    await replica(other).admin('PUT', 'skill-modules/counts/enabled', { enabled: false });
    await until(async () => !(await isThere()));
    await replica(other).admin('DELETE', 'skill-modules/counts');
    await until(async () => (await replica(one).admin('GET', 'skill-modules/counts')).status === 404);
  });

  it('notify the clients of one of what is saved on the other', async () => {
    const saved = await replica(one).admin('POST', 'knowledge', { title: 'Shared', content: 'by all' });
    await until(() => heard.includes('resources'));
    const uri = String(saved.body['uri']);
    await client.subscribeResource({ uri });
    await replica(one).admin('PUT', `knowledge/${String(saved.body['id'])}`, { content: 'by all of us' });
    await until(() => heard.includes(uri));
  });

  it('offer the workflows of each other', async () => {
    const definition = workflowText('shared-work');
    expect(await replica(one).admin('POST', 'workflows', { definition })).toMatchObject({ status: 201 });
    await until(async () => (await client.listTools()).tools.some(({ name }) => name === 'shared-work'));
    await until(() => heard.includes('tools') && heard.includes('resources'));
    await replica(one).admin('PUT', 'workflows/shared-work/enabled', { enabled: false });
    await until(async () => !(await client.listTools()).tools.some(({ name }) => name === 'shared-work'));
    await replica(one).admin('DELETE', 'workflows/shared-work');
    expect((await replica(other).admin('GET', 'workflows/shared-work')).status).toBe(404);
  });

  it('catch up on what they missed while they were cut off', async () => {
    const broken = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen %'`.execute(replica(one).app.get(Database));
    expect(broken.rows).toHaveLength(2);
    await replica(one).admin('PUT', 'config/mcp.tool_timeout_ms', { value: 54_321 });
    await replica(one).admin('POST', 'knowledge', { title: 'Missed', content: 'not' });
    await until(async () => (await timeoutOfOther()) === 54_321);
    await until(() => heard.includes('resources'));
  });

  it.each([
    ['not JSON', 'hello'],
    ['null', 'null'],
    ['of an unknown topic', '{"from":"x","topic":"nonsense","detail":""}'],
    ['without a detail', '{"from":"x","topic":"session.ended"}'],
    ['of a wrong type', '{"from":1,"topic":["settings"],"detail":{}}'],
  ])('ignore a notification that is %s', async (_what, payload) => {
    await sql`select pg_notify('agent_service', ${payload})`.execute(replica(one).app.get(Database));
    await replica(one).admin('PUT', 'config/mcp.tool_timeout_ms', { value: 23_456 });
    await until(async () => (await timeoutOfOther()) === 23_456);
    await replica(one).admin('DELETE', 'config/mcp.tool_timeout_ms');
    await until(async () => (await timeoutOfOther()) === 30_000);
  });

  it('follow the tasks of each other', async () => {
    const _meta = {
      'io.modelcontextprotocol/clientCapabilities': {
        elicitation: {},
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      },
    };
    const request = async (service: TestService | undefined, method: string, params: object) => {
      const res = await replica(service).postStateless(method, { ...params, _meta });
      return (await answerIn<{ result: Record<string, unknown> }>(res)).result;
    };
    const called = { name: 'hold', arguments: { label: 'shared' } };
    const { taskId } = await request(one, 'tools/call', called);
    const notifications = { taskIds: [taskId] };
    const messages = messagesOf(await replica(other).postStateless('subscriptions/listen', { notifications, _meta }));
    const next = async () => (await messages.next()).value as { params: Record<string, unknown> };
    expect(await next()).toMatchObject({ params: { notifications } });
    expect(await next()).toMatchObject({ params: { taskId, status: 'working' } });
    for (const service of [one, other]) replica(service).app.get(Gate).open('shared');
    let told = await next();
    while (told.params['status'] === 'working') told = await next();
    expect(told.params).toMatchObject({ status: 'completed', result: { content: [{ text: 'shared is done' }] } });
    await messages.return(undefined);

    const asking = await request(one, 'tools/call', { name: 'introduce', arguments: {} });
    const task = (service: TestService | undefined) => request(service, 'tasks/get', { taskId: asking['taskId'] });
    await until(async () => (await task(other))['statusMessage'] === 'It waits for 2 answers.');
    const keys = Object.keys((await task(other))['inputRequests'] as object);
    const inputResponses = Object.fromEntries(keys.map((key) => [key, { action: 'accept', content: { name: 'Ada' } }]));
    await request(other, 'tasks/update', { taskId: asking['taskId'], inputResponses });
    await until(async () => (await task(one))['status'] === 'completed');
  });

  it('refuse a key that was replaced on another replica', async () => {
    await replica(one).admin('PUT', 'config/mcp.api_key', { value: 'another-key-for-replicas' });
    await until(async () => (await replica(other).postStateless('tools/list')).status === 401);
  });
});
