import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { freePort } from './harness/free-port.js';
import { ServerProcess } from './harness/server-process.js';
import { adminRequest } from './support/admin-request.js';
import { describeOnEachDatabase } from './support/databases.js';
import { LlmServer, refused, silent, streamed } from './support/llm-server.js';
import { ADMIN_PASSWORD, KEY, TestService } from './support/service.js';
import { until } from './support/until.js';

const move = (tool: string, args: object) => streamed(JSON.stringify({ tool, arguments: args, answer: null }));
const answer = (text: string) => streamed(JSON.stringify({ tool: null, answer: text }));
const ENTRY = { namespace: 'team', key: 'release', content: 'Releases are on Tuesdays.' };

describe('an agent', () => {
  let llm: LlmServer;
  let service: TestService;
  let client: Client;

  beforeAll(async () => {
    llm = await LlmServer.start();
    const env = { HTTP_ALLOWED_HOSTS: '["127.0.0.1"]', LLM_URL: llm.url, LLM_MODELS: 'gpt-x', LLM_CLIENTS: 'on' };
    service = await TestService.start({ env });
    client = await service.connect();
    await client.callTool({ name: 'memory_save', arguments: ENTRY });
  });
  beforeEach(() => llm.reset());
  afterAll(async () => {
    await service.stop();
    await llm.stop();
  });

  const ask = async (args: object) => {
    const result = await client.callTool({ name: 'llm_agent', arguments: { task: 'When is the release?', ...args } });
    const [first] = result.content as { text: string }[];
    return { text: first?.text ?? '', data: result.structuredContent, isError: result.isError === true };
  };
  const runs = async () => (await service.admin('GET', 'runs')).body['items'] as Record<string, unknown>[];

  it('calls the tools that it was given until it has the answer, each step of a run', async () => {
    llm.script(move('memory_search', { query: 'release' }), answer('On Tuesdays.'));
    const { text, data } = await ask({ tools: ['memory_search', 'knowledge_search'] });
    expect(text).toBe('On Tuesdays.');
    expect(data).toEqual({
      answer: 'On Tuesdays.',
      stopped: null,
      calls: [{ tool: 'memory_search', failed: false }],
      tokens: 24,
    });
    const [system, user] = llm.asked[1]?.messages ?? [];
    expect(system?.content).toContain('## memory_search');
    expect(system?.content).not.toContain('## memory_save');
    expect(user?.content).toContain('# Task\n\nWhen is the release?');
    expect(user?.content).toContain('Releases are on Tuesdays.');
    const [run] = await runs();
    expect(run).toMatchObject({ program: 'agent', name: 'llm_agent', status: 'completed', client: 'default' });
    const steps = (await service.admin('GET', `runs/${String(run?.['id'])}/steps`)).body['items'] as { name: string }[];
    expect(steps.map(({ name }) => name)).toEqual(['/ask/2', '/call/1', '/ask/1', '/tools']);
  });

  it('receives the error of a failed call, and continues', async () => {
    llm.script(move('memory_search', { query: 5, limit: -1 }), answer('I could not find out.'));
    const { data } = await ask({ tools: ['memory_search'] });
    expect(data).toMatchObject({ answer: 'I could not find out.', calls: [{ tool: 'memory_search', failed: true }] });
    expect(llm.asked[1]?.messages[1]?.content).toContain('It failed:\nThe arguments do not fit the input schema');
  });

  it('stops at the steps and tokens that it was given', async () => {
    llm.otherwise = move('memory_search', { query: 'release' });
    expect((await ask({ tools: ['memory_search'], max_steps: 2 })).data).toMatchObject({
      answer: null,
      stopped: 'max_steps',
      calls: [{ failed: false }, { failed: false }],
    });
    expect(llm.asked).toHaveLength(2);
    expect((await ask({ tools: ['memory_search'], max_tokens: 20 })).data).toMatchObject({
      stopped: 'max_tokens',
      tokens: 24,
    });
  });

  it('has no tools but those that its caller may call, and never itself', async () => {
    for (const tools of [['no_such_tool'], ['llm_agent'], ['memory_search', 'no_such_tool']]) {
      const { isError, text } = await ask({ tools });
      expect([isError, text]).toEqual([true, expect.stringContaining('for default and an agent: name others')]);
    }
    expect(llm.asked).toEqual([]);
  });

  it('fails with what the model says when it cannot be asked', async () => {
    llm.otherwise = refused(401, 'no');
    const { isError, text } = await ask({ tools: ['memory_search'] });
    expect([isError, text]).toEqual([true, expect.stringContaining('llm_agent failed at /ask/1: ')]);
  });

  it('fails when the model neither calls a tool nor answers', async () => {
    llm.script(move('memory_search', { query: 'release' }), streamed('{"tool": null, "answer": null}'));
    const { isError, text } = await ask({ tools: ['memory_search'] });
    expect([isError, text]).toEqual([true, expect.stringContaining('at /ask/2: The model has neither called a tool')]);
  });

  it('does not start others without end through a workflow: each waits for a person', async () => {
    expect((await service.admin('POST', 'workflows', { definition: ENDLESS })).status).toBe(201);
    llm.otherwise = move('endless', {});
    const called = ask({ tools: ['endless'] });
    await until(async () => (await runs())[0]?.['status'] === 'waiting');
    expect((await runs())[0]).toMatchObject({ name: 'llm_agent', questions: 1 });
    expect((await runs()).map(({ name }) => name)).not.toContain('endless');
    expect(llm.asked).toHaveLength(1);
    await service.admin('POST', `runs/${String((await runs())[0]?.['id'])}/cancel`);
    expect((await called).text).toContain('A language model wants to call endless');
  });

  it.each([
    ['decline', true],
    ['accept', false],
  ])('waits for a person before it deletes something for good: %s', async (action, isKept) => {
    llm.script(move('memory_remove', { namespace: 'team', key: 'release' }), answer('Done.'));
    const called = ask({ tools: ['memory_remove'] });
    await until(async () => (await runs())[0]?.['questions'] === 1);
    const id = String((await runs())[0]?.['id']);
    const stored = async () =>
      JSON.stringify((await client.callTool({ name: 'memory_search', arguments: { query: 'Tuesdays' } })).content);
    expect(await stored()).toContain(ENTRY.content);
    const { openQuestions } = (await service.admin('GET', `runs/${id}`)).body as {
      openQuestions: { step: string; question: { message: string } }[];
    };
    expect(openQuestions[0]?.question.message).toContain('A language model wants to call memory_remove');
    const given = { step: openQuestions[0]?.step, action, content: action === 'accept' ? {} : null };
    expect((await service.admin('POST', `runs/${id}/answers`, given)).status).toBeLessThan(300);
    await called;
    await until(async () => (await runs())[0]?.['status'] === 'completed');
    expect(llm.asked[1]?.messages[1]?.content).toContain(isKept ? 'It failed:' : 'It returned:');
    expect((await stored()).includes(ENTRY.content)).toBe(isKept);
  });
});

const ENDLESS = `document:
  dsl: 1.0.3
  namespace: team
  name: endless
  version: 1.0.0
  summary: Use this to start an agent that may start this.
do:
  - again:
      call: llm_agent
      with: { task: Go on, tools: [endless] }
`;

const WORKFLOW = `document:
  dsl: 1.0.3
  namespace: team
  name: look-it-up
  version: 1.0.0
  summary: Use this to find out when something is.
do:
  - find:
      call: llm_agent
      with: { task: When is the release?, tools: [memory_search] }
      output: { as: .answer }
`;

describeOnEachDatabase('an agent in a step of a workflow', (data) => {
  let llm: LlmServer;
  let port: number;
  let server: ServerProcess;

  beforeAll(async () => {
    [llm, port] = [await LlmServer.start(), await freePort()];
    await start();
    await admin('POST', 'workflows', { definition: WORKFLOW });
  });
  beforeEach(() => llm.reset());
  afterAll(async () => {
    await server.stop();
    await llm.stop();
  });

  const start = async () => {
    const env = { HTTP_ALLOWED_HOSTS: '["127.0.0.1"]', LLM_URL: llm.url, LLM_MODELS: 'gpt-x', ADMIN_PASSWORD };
    server = await ServerProcess.start({ env: { ...data.env, ...env, PORT: String(port), MCP_API_KEY: KEY } });
  };
  const admin = (method: string, path: string, body?: object) => adminRequest(port, method, path, body);

  it.each([
    ['killed', 'kill'],
    ['stopped', 'stop'],
  ] as const)('continues where it was when its process is %s', async (_, how) => {
    llm.script(move('memory_search', { query: 'release' }), silent('{"tool"'));
    const id = String((await admin('POST', 'workflows/look-it-up/start', { input: {} }))['id']);
    await until(() => llm.asked.length === 2);
    await server[how]();
    llm.script(answer('On Tuesdays.'));
    await start();
    await until(async () => (await admin('GET', `runs/${id}`))['endedAt'] !== null);
    expect(await admin('GET', `runs/${id}`)).toMatchObject({ status: 'completed', output: 'On Tuesdays.' });
    // Neither the first question nor the tool call was repeated.
    expect(llm.asked).toHaveLength(3);
    expect(llm.asked[2]?.messages[1]?.content).toBe(llm.asked[1]?.messages[1]?.content);
    const { items } = (await admin('GET', 'runs?limit=2')) as { items: object[] };
    expect(items).toContainEqual(expect.objectContaining({ program: 'agent', status: 'completed' }));
    expect(items).toContainEqual(expect.objectContaining({ id }));
  });
});
