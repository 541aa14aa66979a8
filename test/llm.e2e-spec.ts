import { readFileSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { monthOf } from '../src/features/llm/models/tokens.rules.js';
import { TokenUsageStore } from '../src/features/llm/budget/token-usage.store.js';
import { Database } from '../src/platform/database/database.js';
import { everythingIn } from '../src/platform/database/testing.js';
import { freePort } from './harness/free-port.js';
import { ServerProcess } from './harness/server-process.js';
import { adminRequest } from './support/admin-request.js';
import { describeOnEachDatabase } from './support/databases.js';
import { beginStream, LlmServer, send, silent, streamed } from './support/llm-server.js';
import { ADMIN_PASSWORD, KEY, TestService } from './support/service.js';
import { until } from './support/until.js';

const API_KEY = 'sk-hidden-from-all';
const PROMPT = 'my-secret-prompt';
/** The tokens that a request for the prompt reserves: the maximum answer, and an estimate of the prompt. */
const RESERVED = 1000 + Math.ceil(PROMPT.length / 3) + 8;

const workflow = (name: string, then: string) => `document:
  dsl: 1.0.3
  namespace: team
  name: ${name}
  version: 1.0.0
  summary: Use this to ask a language model.
do:
  - ask:
      call: llm_generate
      with: { prompt: ${PROMPT}, max_tokens: 1000 }
      output: { as: '\${ { answer: .text, total: .tokens.total } }' }
${then}`;
const QUESTION = `  - okay:
      listen: { to: { one: { with: { type: person.answered } } } }
      metadata: { question: { message: Publish it?, schema: { type: object, properties: {} } } }
`;

describe('language models, set up by an administrator', () => {
  let llm: LlmServer;
  let service: TestService;
  let client: Client;

  beforeAll(async () => {
    llm = await LlmServer.start();
    service = await TestService.start({ env: { HTTP_ALLOWED_HOSTS: '["127.0.0.1"]' } });
    client = await service.connect();
  });
  afterAll(async () => {
    await service.stop();
    await llm.stop();
  });

  const configure = async (settings: Record<string, unknown>) => {
    for (const [key, value] of Object.entries(settings)) {
      const { status } = await service.admin('PUT', `config/llm.${key}`, { value });
      expect([key, status]).toEqual([key, 200]);
    }
  };
  const toolNames = async () => (await client.listTools()).tools.map(({ name }) => name);
  const used = (principal?: string) =>
    new TokenUsageStore(service.app.get(Database, { strict: false })).used(monthOf(new Date()), principal);

  it('are not listed until a model is set', async () => {
    const names = await toolNames();
    expect(names.filter((name) => name.startsWith('llm_'))).toEqual([]);
    expect(JSON.stringify(await client.callTool({ name: 'llm_generate', arguments: {} }).catch(String))).toContain(
      'Unknown tool: llm_generate. It is not available now: it needs a language model',
    );
    const { status, body } = await service.admin('POST', 'workflows', { definition: workflow('asking', '') });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('sets with llm.url and llm.models')]);
  });

  it('answer steps of workflows, and no clients, until those may ask, too', async () => {
    await configure({ url: llm.url, models: ['fast = gpt-x'], api_key: API_KEY });
    const { status } = await service.admin('POST', 'workflows', { definition: workflow('asking', '') });
    expect(status).toBe(201);
    expect(await toolNames()).toEqual(expect.arrayContaining(['asking']));
    expect(await toolNames()).not.toContain('llm_generate');
    const result = await client.callTool({ name: 'asking', arguments: {} });
    expect(JSON.stringify(result.content)).toContain(JSON.stringify('{"answer":"Hello there.","total":12}'));
    expect(llm.authorizations).toEqual([`Bearer ${API_KEY}`]);
    expect([await used('default'), await used()]).toEqual([12, 12]);
    const refused = await client.callTool({ name: 'llm_generate', arguments: { prompt: 'a' } });
    expect([refused.isError, JSON.stringify(refused.content)]).toEqual([
      true,
      expect.stringContaining('only there for steps of workflows'),
    ]);
  });

  it('answer permitted clients, and report the text on the way', async () => {
    await configure({ clients: 'on' });
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'llm_generate')).toMatchObject({ annotations: { readOnlyHint: true } });
    const told: unknown[] = [];
    const isTold = Promise.withResolvers<undefined>();
    llm.script(async (_asked, response) => {
      beginStream(response);
      send(response, { choices: [{ delta: { content: 'Well' } }] });
      await isTold.promise;
      send(response, { choices: [{ delta: { content: ', yes.' }, finish_reason: 'stop' }] });
      response.end('data: [DONE]\n\n');
    });
    const onprogress = (progress: unknown) => {
      told.push(progress);
      isTold.resolve(undefined);
    };
    const call = { name: 'llm_generate', arguments: { prompt: PROMPT } };
    const { structuredContent } = await client.callTool(call, undefined, { onprogress });
    expect(structuredContent).toMatchObject({ text: 'Well, yes.', model: 'fast' });
    expect(told[0]).toEqual({ progress: 4, message: 'Well' });
  });

  it('classify and extract', async () => {
    llm.script(streamed('{"label":"bug"}'), streamed('{"data":{"total":3}}'), streamed('{"total":3}'));
    const classify = { name: 'llm_classify', arguments: { text: 'It crashes', labels: ['bug', 'question'] } };
    expect((await client.callTool(classify)).structuredContent).toMatchObject({ label: 'bug' });
    const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };
    const extract = { name: 'llm_extract', arguments: { text: 'Three euros', schema } };
    expect((await client.callTool(extract)).structuredContent).toMatchObject({ data: { total: 3 } });
  });

  it('stop at the budget of the month, in a workflow, too', async () => {
    await configure({ monthly_tokens: 1000 });
    const { body } = await service.admin('POST', 'workflows/asking/start', { input: {} });
    const run = async () => (await service.admin('GET', `runs/${String(body['id'])}`)).body;
    await until(async () => (await run())['endedAt'] !== null);
    expect(JSON.stringify((await run())['error'])).toContain('The budget of language models is reached');
    await configure({ monthly_tokens: 0 });
  });

  it('answer the workflow of the manual', async () => {
    const [, definition = ''] = /```yaml\n([^]*?)```/.exec(readFileSync('docs/llm.md', 'utf8')) ?? [];
    const saved = await service.admin('POST', 'workflows', { definition });
    expect([saved.status, saved.body['problems'] ?? []]).toEqual([201, []]);
    llm.script(streamed('{"label":"bug"}'), streamed('{"product":null}'), streamed('Sorry about that.'));
    const { content } = await client.callTool({ name: 'sort-ticket', arguments: { text: 'It crashes' } });
    const [{ text }] = content as [{ text: string }];
    expect(JSON.parse(text)).toEqual({ text: 'It crashes', kind: 'bug', product: null, draft: 'Sorry about that.' });
    expect(llm.asked.at(-1)?.messages[1]?.content).toBe('Draft an answer to this bug:\nIt crashes');
  });

  it('show their key to nobody, and their calls in the audit log', async () => {
    const { contents } = await client.readResource({ uri: 'config://llm.api_key' });
    const everything = [contents, await service.admin('GET', 'config'), await service.admin('GET', 'runs')];
    expect(JSON.stringify(everything)).not.toContain(API_KEY);
    const stored = await everythingIn(service.app.get(Database, { strict: false }));
    expect(stored).toContain('llm.api_key');
    expect(stored).not.toContain(API_KEY);
    await until(async () => (await service.admin('GET', 'audit?tool=llm_generate')).body['items'] !== undefined);
    const { items } = (await service.admin('GET', 'audit?kind=call&tool=llm_generate')).body as { items: object[] };
    expect(items.length).toBeGreaterThan(1);
    expect(JSON.stringify(items)).not.toContain(API_KEY);
  });

  it('are gone when no model is set any more', async () => {
    await configure({ models: [] });
    expect((await toolNames()).filter((name) => name.startsWith('llm_'))).toEqual([]);
  });
});

describeOnEachDatabase('a step that asks a language model', (data) => {
  let llm: LlmServer;
  let server: ServerProcess | null = null;
  let port: number;
  let said = '';

  beforeAll(async () => void ([llm, port] = [await LlmServer.start(), await freePort()]));
  beforeEach(() => llm.reset());
  afterEach(async () => {
    await server?.stop();
    server = null;
  });
  afterAll(() => llm.stop());

  const start = async () => {
    const settings = {
      LLM_URL: llm.url,
      LLM_MODELS: 'gpt-x',
      LLM_API_KEY: API_KEY,
      HTTP_ALLOWED_HOSTS: '["127.0.0.1"]',
    };
    server = await ServerProcess.start({
      env: { ...data.env, ...settings, PORT: String(port), MCP_API_KEY: KEY, ADMIN_PASSWORD, LOG_LEVEL: 'debug' },
    });
  };
  const kill = async () => {
    await server?.kill();
    said += server?.lastOutput ?? '';
    server = null;
  };
  const admin = (method: string, path: string, body?: object) => adminRequest(port, method, path, body);
  const begin = async (name: string, then: string) => {
    await admin('POST', 'workflows', { definition: workflow(name, then) });
    return String((await admin('POST', `workflows/${name}/start`, { input: {} }))['id']);
  };
  const ended = async (id: string) => {
    await until(async () => (await admin('GET', `runs/${id}`))['endedAt'] !== null);
    const { status, output } = await admin('GET', `runs/${id}`);
    return { status, output };
  };
  const used = async () => {
    const database = await data.open();
    const tokens = await new TokenUsageStore(database).used(monthOf(new Date()));
    await database.destroy();
    return tokens;
  };

  it('counts its reservation when its process is killed during the answer, and asks again', async () => {
    await start();
    llm.otherwise = silent('Hel');
    const id = await begin('killed', '');
    await until(() => llm.asked.length === 1);
    await kill();
    expect(await used()).toBe(RESERVED);
    llm.otherwise = streamed('Hello again.');
    await start();
    expect(await ended(id)).toEqual({ status: 'completed', output: { answer: 'Hello again.', total: 12 } });
    expect(llm.asked).toHaveLength(2);
    await kill();
    expect(await used()).toBe(RESERVED + 12);
  });

  it('never asks twice once its answer is recorded, although its process is killed', async () => {
    await start();
    const id = await begin('recorded', QUESTION);
    await until(async () => ((await admin('GET', `runs/${id}`))['status'] as string) === 'waiting');
    await kill();
    await start();
    await admin('POST', `runs/${id}/answers`, { step: '/do/1/okay', action: 'accept', content: {} });
    expect(await ended(id)).toMatchObject({ status: 'completed' });
    expect(llm.asked).toHaveLength(1);
    await kill();
  });

  it('writes neither the prompt nor the answer nor the key to the log', () => {
    expect(said).toContain('A language model answered');
    expect(said).not.toMatch(new RegExp(`${PROMPT}|Hello|${API_KEY}`));
  });
});
