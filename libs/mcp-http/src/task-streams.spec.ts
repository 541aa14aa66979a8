import { TaskStreams } from './task-streams.js';
import { rpc, startEndpoint, type TestEndpoint } from './testing.js';

const TASKS = 'io.modelcontextprotocol/tasks';
const SUBSCRIPTION = { 'io.modelcontextprotocol/subscriptionId': 'sub' };

type Message = Record<string, unknown>;

describe('the streams that follow tasks', () => {
  let server: TestEndpoint;

  beforeEach(async () => {
    server = await startEndpoint({ limits: { maxSubscriptions: 4, maxIdLength: 20 } });
    server.tasks.set('alice:one', { taskId: 'one', status: 'working' });
    server.tasks.set('bob:two', { taskId: 'two', status: 'working' });
  });
  afterEach(() => server.stop());

  const request = (method: string, params: Message, { extensions = { [TASKS]: {} }, headers = {} } = {}) =>
    server.postStateless(
      rpc(method, { ...params, _meta: { 'io.modelcontextprotocol/clientCapabilities': { extensions } } }, 'sub'),
      headers,
    );
  const listen = (notifications: Message, more = {}) => request('subscriptions/listen', { notifications }, more);
  const errorOf = async (res: Response) => [res.status, (await res.json()) as Message] as const;

  // Shows in 2026-07-28: tasks.listen-own, tasks.whole-notification
  it('acknowledge the tasks of the client, and send each as a whole, now and when it changes', async () => {
    const messages = messagesOf(await listen({ taskIds: ['one', 'two', 'none', 'one'], toolsListChanged: true }));
    expect(await messages.next()).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: ['one'], toolsListChanged: true }, _meta: SUBSCRIPTION },
    });
    expect(await messages.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tasks',
      params: { taskId: 'one', status: 'working', _meta: SUBSCRIPTION },
    });
    server.tasks.set('alice:one', { taskId: 'one', status: 'completed', result: { content: [] } });
    await server.endpoint.publish({ kind: 'task_changed', taskId: 'two' });
    await server.endpoint.publish({ kind: 'task_changed', taskId: 'one' });
    expect(await messages.next()).toMatchObject({ params: { status: 'completed', result: { content: [] } } });
    server.tasks.set('alice:one', { taskId: 'one', status: 'failed' });
    await server.endpoint.publish({ kind: 'task_changed', taskId: null });
    expect(await messages.next()).toMatchObject({ params: { status: 'failed' } });
    await server.endpoint.close();
    expect(await messages.next()).toMatchObject({ id: 'sub', result: { resultType: 'complete' } });
    expect(await messages.next()).toBeUndefined();
  });

  it('acknowledge no taskIds when none of the tasks is the client’s', async () => {
    const messages = messagesOf(await listen({ taskIds: ['two'] }));
    expect(await messages.next()).toMatchObject({ params: { notifications: {} } });
    await server.endpoint.publish({ kind: 'task_changed', taskId: 'two' });
    await server.endpoint.publish({ kind: 'tools_list_changed' });
    await server.endpoint.close();
    expect(await messages.next()).toMatchObject({ id: 'sub' });
  });

  // Shows in 2026-07-28: tasks.listen-undeclared
  it('are refused to a client that has not declared the extension', async () => {
    for (const taskIds of [['one'], []]) {
      const [status, body] = await errorOf(await listen({ taskIds }, { extensions: {} }));
      expect([status, body]).toMatchObject([
        400,
        { id: 'sub', error: { code: -32021, data: { requiredCapabilities: { extensions: { [TASKS]: {} } } } } },
      ]);
    }
  });

  it.each<[string, unknown, number]>([
    ['too many', ['1', '2', '3', '4', '5'], 200],
    ['one too long', ['x'.repeat(21)], 400],
    ['one that is no text', [1], 200],
    ['no list', 'one', 200],
  ])('are refused for taskIds with %s', async (_case, taskIds, status) => {
    expect(await errorOf(await listen({ taskIds }))).toMatchObject([status, { error: { code: -32602 } }]);
    expect(server.endpoint.counts().streams).toBe(0);
  });

  it('end when a task cannot be read, so that the client reconnects and is notified then', async () => {
    const messages = messagesOf(await listen({ taskIds: ['one'] }));
    expect(await messages.next()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    expect(await messages.next()).toMatchObject({ method: 'notifications/tasks' });
    server.tasks.get = () => {
      throw new Error('the database is gone');
    };
    await server.endpoint.publish({ kind: 'task_changed', taskId: 'one' });
    expect(await messages.next()).toMatchObject({ id: 'sub', result: { resultType: 'complete' } });
    expect(server.failures).toHaveLength(1);
  });

  it('send nothing about tasks to a session', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const opened = await fetch(server.url, { method: 'POST', headers, body });
    const session = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    await server.endpoint.publish({ kind: 'task_changed', taskId: 'one' });
    const messages = messagesOf(await fetch(server.url, { headers: session }));
    await server.endpoint.publish({ kind: 'task_changed', taskId: 'one' }, { kind: 'tools_list_changed' });
    expect(await messages.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    await server.endpoint.close();
    expect(await messages.next()).toBeUndefined();
  });

  // Shows in 2026-07-28: tasks.advertised
  it('are declared in server/discover, and not to sessions', async () => {
    const { result } = (await (await request('server/discover', {})).json()) as { result: Message };
    expect(result['capabilities']).toMatchObject({ extensions: { [TASKS]: {} } });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const opened = await fetch(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    });
    expect(JSON.stringify(await opened.json())).not.toContain(TASKS);
  });

  // Shows in 2026-07-28: tasks.headers
  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('take %s only with the id in Mcp-Name', async (method) => {
    const params = { taskId: 'one', inputResponses: {} };
    const wrong = await errorOf(await request(method, params, { headers: { 'mcp-name': 'two' } }));
    expect(wrong).toMatchObject([400, { error: { code: -32020 } }]);
    expect(await errorOf(await request(method, params))).toMatchObject([400, { error: { code: -32020 } }]);
    const right = await errorOf(await request(method, params, { headers: { 'mcp-name': 'one' } }));
    // This endpoint has no handler for it.
    expect(right).toMatchObject([404, { error: { code: -32601 } }]);
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('refuse %s with an id that is too long', async (method) => {
    const taskId = 'x'.repeat(21);
    const answer = await errorOf(await request(method, { taskId }, { headers: { 'mcp-name': taskId } }));
    expect(answer).toMatchObject([400, { error: { code: -32602 } }]);
  });
});

describe('those who follow tasks', () => {
  it('first receive the current state of their tasks', async () => {
    const { streams, news } = newStreams();
    streams.add('a', ['one', 'two']);
    streams.add('b', []);
    expect(await news()).toEqual([
      ['one', ['a']],
      ['two', ['a']],
    ]);
  });

  it('receive only their own tasks', async () => {
    const { streams, news } = newStreams();
    streams.add('a', ['one', 'two']);
    streams.add('b', ['one']);
    await news();
    streams.changed('one');
    expect(await news()).toEqual([['one', ['a', 'b']]]);
    streams.changed('two');
    expect(await news()).toEqual([['two', ['a']]]);
    streams.changed('three');
    expect(await news()).toEqual([]);
  });

  it('receive each of their tasks when any may have changed', async () => {
    const { streams, news } = newStreams();
    streams.add('a', ['one']);
    streams.add('b', ['one', 'two']);
    await news();
    streams.changed(null);
    expect(await news()).toEqual([
      ['one', ['a', 'b']],
      ['two', ['b']],
    ]);
  });

  it('receive nothing once they are removed', async () => {
    const { streams, news } = newStreams();
    streams.add('a', ['one', 'two']);
    streams.add('b', ['one']);
    await news();
    streams.remove('a', ['one']);
    streams.changed(null);
    expect(await news()).toEqual([
      ['one', ['b']],
      ['two', ['a']],
    ]);
    streams.remove('b', ['one', 'none']);
    streams.changed(null);
    expect(await news()).toEqual([['two', ['a']]]);
    streams.changed('one');
    expect(await news()).toEqual([]);
  });

  it('stay when somebody is removed who does not follow the task', async () => {
    const { streams, news } = newStreams();
    streams.add('a', ['one']);
    await news();
    streams.remove('b', ['one']);
    streams.changed('one');
    expect(await news()).toEqual([['one', ['a']]]);
  });

  it('receive one task after the other', async () => {
    const { streams, news, slow, finish } = newStreams();
    slow();
    streams.add('a', ['one', 'two']);
    expect(await news()).toEqual([['one', ['a']]]);
    finish();
    expect(await news()).toEqual([['two', ['a']]]);
  });

  it('receive once the changes that come while others are sent', async () => {
    const { streams, news, slow, finish } = newStreams();
    streams.add('a', ['one']);
    streams.add('b', ['two']);
    await news();
    slow();
    streams.changed('one');
    await news();
    streams.changed('two');
    streams.changed('two');
    streams.add('a', ['two']);
    // An earlier notification may describe the state before this change.
    streams.changed('one');
    finish();
    expect(await news()).toEqual([['two', ['b', 'a']]]);
    finish();
    expect(await news()).toEqual([['one', ['a']]]);
    finish();
    expect(await news()).toEqual([]);
  });
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Streams with names, and their notifications: the task and its followers. */
function newStreams() {
  const told: [string, string[]][] = [];
  const unfinished: (() => void)[] = [];
  let isSlow = false;
  const streams = new TaskStreams<string>((taskId, followers) => {
    told.push([taskId, [...followers]]);
    return isSlow ? new Promise((resolve) => unfinished.push(resolve)) : Promise.resolve();
  });
  /** Returns the notifications since the last call. */
  const news = async () => {
    await settled();
    return told.splice(0);
  };
  return {
    streams,
    news,
    /** From now on, notifications are pending until `finish`. */
    slow: () => (isSlow = true),
    finish: () => unfinished.shift()?.(),
  };
}

/** Reads the messages of an event stream one by one; undefined after the last. */
function messagesOf(res: Response): { next(): Promise<Message | undefined> } {
  const messages = readMessages(res);
  return { next: async () => (await messages.next()).value };
}

async function* readMessages(res: Response): AsyncGenerator<Message, undefined> {
  let buffer = '';
  const decoder = new TextDecoder();
  for await (const chunk of res.body ?? []) {
    buffer += decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = buffer.split('\n\n');
    buffer = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: {'));
      if (data) yield JSON.parse(data.slice('data: '.length)) as Message;
    }
  }
  return undefined;
}
