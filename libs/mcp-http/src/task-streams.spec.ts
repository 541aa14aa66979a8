import { TaskStreams } from './task-streams.js';
import { messagesOf } from './received.testing.js';
import { openSession, rpc, startEndpoint, type TestEndpoint } from './testing.js';

const TASKS = 'io.modelcontextprotocol/tasks';

type Message = Record<string, unknown>;

describe('tasks', () => {
  let server: TestEndpoint;

  beforeEach(async () => void (server = await startEndpoint({ limits: { maxIdLength: 20 } })));
  afterEach(() => server.stop());

  const request = (method: string, params: Message, headers: Record<string, string> = {}) =>
    server.postStateless(rpc(method, params), headers);
  const errorOf = async (res: Response) => [res.status, (await res.json()) as Message] as const;

  it('are not reported to a session', async () => {
    const session = await openSession(server);
    await server.endpoint.publish({ kind: 'task_changed', taskId: 'one' });
    const stream = await fetch(server.url, { headers: session });
    await server.endpoint.publish({ kind: 'task_changed', taskId: 'one' }, { kind: 'tools_list_changed' });
    await server.endpoint.close();
    expect(messagesOf(await stream.text())).toEqual([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }]);
  });

  // Shows in 2026-07-28: tasks.advertised
  it('are declared in server/discover, and not to sessions', async () => {
    const { result } = (await (await request('server/discover', {})).json()) as { result: Message };
    expect(result['capabilities']).toMatchObject({ extensions: { [TASKS]: {} } });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    expect(await (await server.post(rpc('initialize', params))).text()).not.toContain(TASKS);
  });

  // Shows in 2026-07-28: tasks.headers
  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('take %s only with the id in Mcp-Name', async (method) => {
    const params = { taskId: 'one', inputResponses: {} };
    const wrong = await errorOf(await request(method, params, { 'mcp-name': 'two' }));
    expect(wrong).toMatchObject([400, { error: { code: -32020 } }]);
    expect(await errorOf(await request(method, params))).toMatchObject([400, { error: { code: -32020 } }]);
    const right = await errorOf(await request(method, params, { 'mcp-name': 'one' }));
    // This endpoint has no handler for it.
    expect(right).toMatchObject([404, { error: { code: -32601 } }]);
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('refuse %s with an id that is too long', async (method) => {
    const taskId = 'x'.repeat(21);
    const answer = await errorOf(await request(method, { taskId }, { 'mcp-name': taskId }));
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
