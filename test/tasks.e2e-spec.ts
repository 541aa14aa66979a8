import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient, type RawClientDispatch } from '@modelcontextprotocol/ext-tasks/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { ADMIN_CLIENT } from '../src/access/audit/audit-entry.js';
import { RunsService } from '../src/features/workflows/runs/runs.service.js';
import { answerIn } from './harness/stateless-message.js';
import { Gate, LongSkillsModule } from './support/long-skills.module.js';
import { KEY, TestService } from './support/service.js';
import { messagesOf } from './support/stream-messages.js';
import { until } from './support/until.js';

const TASKS = 'io.modelcontextprotocol/tasks';
const CAPABILITIES = { elicitation: {}, extensions: { [TASKS]: {} } };
const REQUIRED = { requiredCapabilities: { extensions: { [TASKS]: {} } } };
const anyText = expect.any(String) as unknown;

type Message = Record<string, unknown>;

interface Answer {
  status: number;
  result: Message;
  error: { code: number; message: string; data?: unknown };
}

describe('tasks', () => {
  let service: TestService;
  let labels = 0;
  TestService.forSuite((started) => (service = started), { imports: [LongSkillsModule] });

  const gate = () => service.app.get(Gate);
  const newLabel = () => `work-${(labels += 1)}`;

  const send = (method: string, params: Message, capabilities: Message = CAPABILITIES) =>
    service.postStateless(method, {
      ...params,
      _meta: { 'io.modelcontextprotocol/clientCapabilities': capabilities },
    });
  const request = async (method: string, params: Message, capabilities?: Message): Promise<Answer> => {
    const res = await send(method, params, capabilities);
    return { status: res.status, ...(await answerIn<Pick<Answer, 'result' | 'error'>>(res)) };
  };
  const call = async (name: string, args: Message = {}, capabilities?: Message) =>
    request('tools/call', { name, arguments: args }, capabilities);
  const newTask = async (name: string, args: Message = {}) => String((await call(name, args)).result['taskId']);
  const get = async (taskId: string) => (await request('tasks/get', { taskId })).result;
  const ended = async (taskId: string) => {
    await until(async () => !['working', 'input_required'].includes(String((await get(taskId))['status'])));
    return get(taskId);
  };
  /** Returns the id of a task with two pending questions. */
  const newAskingTask = async () => {
    const taskId = await newTask('introduce');
    await until(async () => (await get(taskId))['statusMessage'] === 'It waits for 2 answers.');
    return taskId;
  };
  const keysOf = (task: Message) => Object.keys(task['inputRequests'] ?? {});

  // Shows in 2026-07-28: tasks.created, tasks.get
  it('are what calls go on as that take long: they can be read at once, and hold the result in the end', async () => {
    const label = newLabel();
    const { result } = await call('hold', { label });
    expect(result).toEqual({
      resultType: 'task',
      taskId: anyText,
      status: 'working',
      createdAt: anyText,
      lastUpdatedAt: anyText,
      ttlMs: null,
      pollIntervalMs: 1_000,
      _meta: expect.anything() as unknown,
    });
    const taskId = String(result['taskId']);
    expect(await get(taskId)).toMatchObject({ resultType: 'complete', taskId, status: 'working' });
    gate().open(label);
    const task = await ended(taskId);
    expect(task).toMatchObject({
      resultType: 'complete',
      status: 'completed',
      result: { content: [{ type: 'text', text: `${label} is done` }] },
    });
    expect(task['ttlMs']).toBeGreaterThanOrEqual(30 * 86_400_000);
    expect(task).not.toHaveProperty('error');
  });

  // Shows in 2026-07-28: tasks.undeclared
  it('are not created for a client that has not declared them, or only in an earlier request', async () => {
    const label = newLabel();
    const calling = call('hold', { label }, {});
    gate().open(label);
    expect((await calling).result).toMatchObject({ resultType: 'complete', content: [{ text: `${label} is done` }] });
  });

  it('are not needed to receive a JSON-RPC error', async () => {
    const label = newLabel();
    gate().open(label);
    const { status, error } = await call('hold', { label, outcome: 'fault' }, {});
    expect([status, error]).toEqual([200, { code: -32011, message: 'the line is broken' }]);
  });

  // Shows in 2026-07-28: tasks.required
  it('must be declared by those who call a tool that cannot do without', async () => {
    expect(await call('hold_only_as_task', {}, {})).toMatchObject({
      status: 400,
      error: { code: -32021, data: REQUIRED },
    });
    const taskId = await newTask('hold_only_as_task');
    gate().open('hold_only_as_task');
    expect(await ended(taskId)).toMatchObject({ result: { content: [{ text: 'done as a task' }] } });
  });

  // Shows in 2026-07-28: tasks.tool-error, tasks.failed
  it('are completed when the tool fails, and failed when the call ends with a JSON-RPC error', async () => {
    const [failing, broken] = [newLabel(), newLabel()];
    const failed = await newTask('hold', { label: failing, outcome: 'failure' });
    const faulty = await newTask('hold', { label: broken, outcome: 'fault' });
    for (const label of [failing, broken]) gate().open(label);
    const completed = await ended(failed);
    expect(completed).toMatchObject({ status: 'completed', result: { isError: true } });
    expect(JSON.stringify(completed['result'])).toContain('the work failed');
    const task = await ended(faulty);
    expect(task).toMatchObject({ status: 'failed', error: { code: -32011, message: 'the line is broken' } });
    expect(task).not.toHaveProperty('result');
  });

  // Shows in 2026-07-28: tasks.cancel
  it('can be cancelled, once and again', async () => {
    const label = newLabel();
    const taskId = await newTask('hold', { label });
    const bare = { resultType: 'complete', _meta: expect.anything() as unknown };
    expect((await request('tasks/cancel', { taskId })).result).toEqual(bare);
    expect(await ended(taskId)).toMatchObject({ status: 'cancelled' });
    await until(() => gate().stopped.includes(label));
    expect((await request('tasks/cancel', { taskId })).result).toEqual(bare);
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
    expect(await get(taskId)).not.toHaveProperty('result');
  });

  // Shows in 2026-07-28: tasks.inputs, tasks.update, tasks.other-inputs
  it('ask for what they need, accept some answers now and others later, and ignore others', async () => {
    const taskId = await newAskingTask();
    const asking = await get(taskId);
    expect(asking['status']).toBe('input_required');
    const [one = '', other = ''] = keysOf(asking);
    expect(asking['inputRequests']).toMatchObject({
      [one]: { method: 'elicitation/create', params: { mode: 'form', message: 'Who are you?', requestedSchema: {} } },
    });
    const answer = (key: string, name: string) => ({ [key]: { action: 'accept', content: { name } } });
    const update = (inputResponses: Message) => request('tasks/update', { taskId, inputResponses });
    const bare = { resultType: 'complete', _meta: expect.anything() as unknown };
    expect((await update({ ...answer(one, 'Ada'), nobody: { asked: true } })).result).toEqual(bare);
    expect(keysOf(await get(taskId))).toEqual([other]);
    expect((await update(answer(one, 'Eve'))).result).toEqual(bare);
    expect((await update(answer(other, 'Bob'))).result).toEqual(bare);
    expect(await ended(taskId)).toMatchObject({ result: { content: [{ text: 'Ada, this is Bob' }] } });
    expect((await update(answer(other, 'Eve'))).result).toEqual(bare);
  });

  // Shows in 2026-07-28: input.declared
  it('put their questions to an administrator where the client cannot show them', async () => {
    const elsewhere = { status: 'working', statusMessage: expect.stringContaining('administrator') as unknown };
    for (const elicitation of [undefined, { url: {} }]) {
      const capabilities = { extensions: { [TASKS]: {} }, ...(elicitation && { elicitation }) };
      const { result } = await call('introduce', {}, capabilities);
      const taskId = String(result['taskId']);
      await until(async () => (await get(taskId))['status'] === 'input_required');
      const shown = (await request('tasks/get', { taskId }, capabilities)).result;
      expect(shown).toMatchObject({ taskId, ...elsewhere });
      expect(shown).not.toHaveProperty('inputRequests');
      const res = await send('subscriptions/listen', { notifications: { taskIds: [taskId] } }, capabilities);
      const messages = messagesOf(res);
      await messages.next();
      expect((await messages.next()).value).toMatchObject({ method: 'notifications/tasks', params: elsewhere });
      await messages.return(undefined);
    }
  });

  it('reject invalid answers with the error, and keep asking', async () => {
    const taskId = await newAskingTask();
    const [one = '', other = ''] = keysOf(await get(taskId));
    for (const [response, problem] of [
      [{ action: 'accept', content: { name: 5 } }, 'name: must be string'],
      [{ action: 'accept', content: {} }, 'missing required property "name"'],
      [{ action: 'perhaps' }, '"action"'],
      [{ method: 'elicitation/create', result: { action: 'decline' } }, 'not within "result"'],
    ] as const) {
      const { error } = await request('tasks/update', { taskId, inputResponses: { [one]: response } });
      expect([error.code, error.message]).toEqual([-32602, expect.stringContaining(problem)]);
    }
    const { error } = await request('tasks/update', { taskId, inputResponses: [{ action: 'decline' }] });
    expect([error.code, error.message]).toEqual([-32602, expect.stringContaining('must be an object')]);
    expect(keysOf(await get(taskId))).toEqual([one, other]);
    const decline = { action: 'decline' };
    await request('tasks/update', { taskId, inputResponses: { [one]: decline, [other]: decline } });
    expect(await ended(taskId)).toMatchObject({ result: { content: [{ text: 'nobody wants to be introduced' }] } });
  });

  // Shows in 2026-07-28: tasks.unknown
  it('are known only to the client that owns them', async () => {
    const run = await service.app.get(RunsService).start({
      program: 'skill',
      name: 'introduce',
      version: null,
      input: {},
      origin: 'call',
      client: ADMIN_CLIENT,
      idempotencyKey: null,
      isTest: false,
    });
    const messages = new Set<string>();
    for (const taskId of [run.id, run.id.replaceAll(/./g, '0')]) {
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
        const { status, error } = await request(method, { taskId, inputResponses: {} });
        expect([status, error.code]).toEqual([200, -32602]);
        messages.add(error.message.replace(taskId, 'X'));
      }
    }
    expect(messages.size).toBe(1);
    expect((await service.app.get(RunsService).get(run.id)).endedAt).toBeNull();
  });

  // Shows in 2026-07-28: tasks.methods-undeclared
  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'take no %s of a client without the extension',
    async (method) => {
      const taskId = await newTask('introduce');
      expect(await request(method, { taskId, inputResponses: {} }, {})).toMatchObject({
        status: 400,
        error: { code: -32021, data: REQUIRED },
      });
    },
  );

  it.each([
    ['tasks/get', {}, -32602],
    ['tasks/get', { taskId: 7 }, -32602],
    ['tasks/update', { taskId: 'x', inputResponses: undefined }, -32602],
    ['tasks/list', {}, -32601],
    ['tasks/result', { taskId: 'x' }, -32601],
  ])('answer %s of %j with %i', async (method, params, code) => {
    expect((await request(method, params)).error.code).toBe(code);
  });

  it('do not exist in sessions', async () => {
    const session = await service.openSession();
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel', 'tasks/list', 'tasks/result']) {
      const res = await service.post({ jsonrpc: '2.0', id: 1, method, params: { taskId: 'x' } }, session);
      expect(await res.json()).toMatchObject({ error: { code: -32601 } });
    }
  });

  it('are sent to clients that listen', async () => {
    const label = newLabel();
    const taskId = await newTask('hold', { label });
    const res = await send('subscriptions/listen', { notifications: { taskIds: [taskId, 'none'] } });
    const messages = messagesOf(res);
    expect((await messages.next()).value).toMatchObject({ params: { notifications: { taskIds: [taskId] } } });
    expect((await messages.next()).value).toMatchObject({
      method: 'notifications/tasks',
      params: { status: 'working' },
    });
    gate().open(label);
    let told = (await messages.next()).value as Message;
    while ((told['params'] as Message)['status'] === 'working') told = (await messages.next()).value as Message;
    const { resultType: _type, _meta, ...task } = await get(taskId);
    expect(told).toMatchObject({ method: 'notifications/tasks', params: task });
    await messages.return(undefined);
  });

  it('are followed by the client of the extension, which asks its person in between', async () => {
    const client = new Client(
      { name: 'follower', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: CAPABILITIES },
    );
    const requestInit = { headers: { Authorization: `Bearer ${KEY}` } };
    await client.connect(new StreamableHTTPClientTransport(service.mcpUrl, { requestInit, fetch: fetchHere }));
    const asked: unknown[] = [];
    const session = createTaskSessionFromClient(client, {
      endpointId: 'test',
      rawDispatch: dispatchTo(service),
      v2RequestFraming: {
        protocolVersion: '2026-07-28',
        clientInfo: { name: 'follower', version: '1.0.0' },
        clientCapabilities: CAPABILITIES,
      },
      onInputRequest: async ({ params }) => {
        asked.push(params?.['message']);
        return { action: 'accept', content: { name: asked.length === 1 ? 'Ada' : 'Bob' } } as never;
      },
    });
    const execution = await session.callTool('introduce');
    const { outcome } = await execution.settle();
    expect(execution.kind).toBe('task');
    expect(outcome).toMatchObject({ status: 'completed', result: { content: [{ text: 'Ada, this is Bob' }] } });
    expect(asked).toEqual(['Who are you?', 'And you?']);
    await session.close();
    await client.close();
  });

  it('are not needed to be asked: a client of 2026-07-28 without them answers in a second round', async () => {
    const { result } = await call('introduce', {}, { elicitation: {} });
    expect(result).toMatchObject({ resultType: 'input_required', requestState: anyText });
    const inputResponses = Object.fromEntries(
      keysOf(result).map((key, index) => [key, { action: 'accept', content: { name: index === 0 ? 'Ada' : 'Bob' } }]),
    );
    const params = { name: 'introduce', arguments: {}, inputResponses, requestState: result['requestState'] };
    const answered = await request('tools/call', params, { elicitation: {} });
    expect(answered.result).toMatchObject({ resultType: 'complete', content: [{ text: 'Ada, this is Bob' }] });
  });

  it('are not needed to be asked: in a session, the questions come within the call', async () => {
    const client = new ClientV1({ name: 'ide', version: '1.0.0' }, { capabilities: { elicitation: {} } });
    const asked: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, async ({ params: { message } }) => {
      asked.push(message);
      return { action: 'accept', content: { name: message === 'Who are you?' ? 'Ada' : 'Bob' } };
    });
    await service.connect(client);
    const { content } = await client.callTool({ name: 'introduce', arguments: {} });
    expect(content).toEqual([{ type: 'text', text: 'Ada, this is Bob' }]);
    expect(asked.sort()).toEqual(['And you?', 'Who are you?']);
  });

  it.each(['legacy', { pin: '2026-07-28' }] as const)(
    'are not needed to be asked again when an answer does not fit, with the reason (%j)',
    async (mode) => {
      const capabilities = { elicitation: {} };
      const client = new Client({ name: 'ide', version: '1.0.0' }, { capabilities, versionNegotiation: { mode } });
      const asked: string[] = [];
      client.setRequestHandler('elicitation/create', async ({ params: { message } }) => {
        asked.push(message);
        return { action: 'accept', content: { name: message === 'Who are you?' ? 5 : 'Bob' } };
      });
      await service.connectV2(client);
      const { content } = await client.callTool({ name: 'introduce', arguments: {} });
      expect(content).toEqual([{ type: 'text', text: 'Bob, this is Bob' }]);
      const again = 'Who are you?\n\nThe answer does not fit the question: name: must be string';
      expect(asked.sort()).toEqual(['And you?', 'Who are you?', again]);
    },
  );

  it.each(['legacy', { pin: '2026-07-28' }] as const)(
    'are named when they have more questions than clients take in one call (%j)',
    async (mode) => {
      const question =
        '{ message: \'${ "Question \\($n)?" }\', schema: { type: object, properties: { name: { type: string } } } }';
      const definition = `document: { dsl: 1.0.3, namespace: test, name: survey, version: 1.0.0, summary: Use this to ask. }
do:
  - all:
      for: { each: n, in: '\${ [range(1; 13)] }' }
      do:
        - ask: { listen: { to: { one: { with: { type: person.answered } } } }, metadata: { question: ${question} } }
`;
      await service.admin('POST', 'workflows', { definition });
      const capabilities = { elicitation: {} };
      const client = new Client({ name: 'ide', version: '1.0.0' }, { capabilities, versionNegotiation: { mode } });
      let asked = 0;
      client.setRequestHandler('elicitation/create', async () => {
        asked += 1;
        return { action: 'accept', content: { name: 'Ada' } };
      });
      await service.connectV2(client);
      const { content } = await client.callTool({ name: 'survey', arguments: {} });
      expect(content).toMatchObject([
        { text: expect.stringMatching(/continues as run:.*\(Question 9\?\)/) as unknown },
      ]);
      expect(asked).toBe(8);
      await client.close();
    },
  );

  it('keep the promise of a structured result', async () => {
    const told = await call('approve', {}, {});
    // Clients require structured content, except for errors.
    expect(told.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('run') as unknown }],
    });
    const taskId = await newTask('approve');
    await until(async () => keysOf(await get(taskId)).length === 1);
    const [key = ''] = keysOf(await get(taskId));
    const inputResponses = { [key]: { action: 'accept', content: { approved: true } } };
    await request('tasks/update', { taskId, inputResponses });
    expect(await ended(taskId)).toMatchObject({ result: { structuredContent: { approved: true } } });
  });

  it('outlive the service', async () => {
    const taskId = await newAskingTask();
    service = await service.restart({ imports: [LongSkillsModule] });
    const keys = keysOf(await get(taskId));
    const inputResponses = Object.fromEntries(keys.map((key) => [key, { action: 'decline' }]));
    await request('tasks/update', { taskId, inputResponses });
    expect(await ended(taskId)).toMatchObject({ result: { content: [{ text: 'nobody wants to be introduced' }] } });
  });

  it('are not needed at all: a client that can do nothing of this is told which run to look at', async () => {
    const { result } = await call('introduce', {}, {});
    expect(result).toMatchObject({
      resultType: 'complete',
      content: [{ text: expect.stringContaining('run') as unknown }],
    });
  });
});

/** Fetches, and returns objects of the test's realm: the client of the extension rejects others as invalid JSON. */
const fetchHere: typeof fetch = async (...args) => {
  const res = await fetch(...args);
  return Object.assign(res, { json: async () => JSON.parse(await res.text()) as unknown });
};

/** Sends the requests of the extension's client, with the headers of the protocol. */
function dispatchTo(service: TestService): RawClientDispatch {
  return async (message) => {
    const { method, params } = message as { method: string; params: Message };
    const name = params['taskId'] ?? params['name'];
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    };
    const res = await service.post({ jsonrpc: '2.0', id: 1, ...Object(message) }, headers);
    const answer = JSON.parse(await res.text()) as object;
    return { kind: 'error' in answer ? 'error' : 'result', ...answer } as Awaited<ReturnType<RawClientDispatch>>;
  };
}
