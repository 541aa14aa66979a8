import { type Caller, keyOf } from './caller.js';
import type { ChangeEvent } from './change.js';
import { ErrorCode } from './json-rpc.js';
import { ListenStreams } from './listen-streams.js';
import { limitsFor, Quota, STREAMS } from './quota.js';
import { Connection, type Received } from './received.testing.js';
import { eventStreams, hostWith, ROOMY_LIMITS } from './testing.js';

const META = { 'io.modelcontextprotocol/subscriptionId': 'sub' };
const PROGRAM = { name: 'editor', version: '1', protocolVersion: '2026-07-28' };
const WITH_TASKS = {
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};
const EVERY_LIST = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
const LIST_CHANGES = [
  { kind: 'tools_list_changed' },
  { kind: 'prompts_list_changed' },
  { kind: 'resources_list_changed' },
] as const satisfies ChangeEvent[];
const ALL_CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
};

const acknowledged = (notifications: object): Received => ({
  jsonrpc: '2.0',
  method: 'notifications/subscriptions/acknowledged',
  params: { notifications, _meta: META },
});
const updated = (uri: string): Received => ({
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri, _meta: META },
});
const ENDED = {
  jsonrpc: '2.0',
  id: 'sub',
  result: {
    resultType: 'complete',
    _meta: { ...META, 'io.modelcontextprotocol/serverInfo': { name: 'test', version: '1.0.0' } },
  },
};

describe('a subscriptions/listen stream', () => {
  // Shows in 2026-07-28: subscriptions.acknowledged, subscriptions.id
  it('starts with an acknowledgement of what it will send', async () => {
    const { open } = listening();
    const { res, headers, messages } = await open(EVERY_LIST);
    expect(res.statusCode).toBe(200);
    expect(headers).toMatchObject({ 'Content-Type': 'text/event-stream' });
    expect(messages).toEqual([acknowledged(EVERY_LIST)]);
  });

  // Shows in 2026-07-28: subscriptions.filter
  it.each(['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const)(
    'tells only of the list that is asked for: %s',
    async (flag) => {
      const { streams, open } = listening();
      const connection = await open({ ...EVERY_LIST, ...off(EVERY_LIST), [flag]: true });
      for (const event of LIST_CHANGES) await streams.broadcast(event);
      expect(connection.messages).toEqual([
        acknowledged({ [flag]: true }),
        {
          jsonrpc: '2.0',
          method: `notifications/${flag.replace('ListChanged', '')}/list_changed`,
          params: { _meta: META },
        },
      ]);
    },
  );

  it.each([
    [undefined],
    [{}],
    [{ tools: {}, prompts: {}, resources: {} }],
    [{ tools: { listChanged: false }, prompts: { listChanged: false }, resources: { subscribe: false } }],
  ])('sends nothing that the server does not declare: %j', async (capabilities) => {
    const { streams, open } = listening({ capabilities });
    const connection = await open({ ...EVERY_LIST, resourceSubscriptions: ['a:1'] });
    for (const event of LIST_CHANGES) await streams.broadcast(event);
    await streams.broadcast({ kind: 'resource_updated', uri: 'a:1' });
    expect(connection.messages).toEqual([acknowledged({})]);
  });

  it('sends list changes of its own client', async () => {
    const { streams, open } = listening();
    const connection = await open({ toolsListChanged: true });
    await streams.broadcast({ kind: 'tools_list_changed', client: 'bob' });
    expect(connection.messages).toHaveLength(1);
    await streams.broadcast({ kind: 'tools_list_changed', client: 'alice' });
    expect(connection.messages).toHaveLength(2);
  });

  it('sends updates of subscribed resources that it may read, under each subscribed URI', async () => {
    const { streams, open } = listening({ secret: ['secret:1'] });
    const connection = await open({ resourceSubscriptions: ['a:1', 'A:1', 'b:1', 'secret:1'] });
    const other = await open({ resourceSubscriptions: ['A:1'] });
    const without = await open({ resourceSubscriptions: ['secret:1'] });
    for (const uri of ['a:1', 'c:1', 'secret:1']) await streams.broadcast({ kind: 'resource_updated', uri });
    expect(connection.messages).toEqual([
      acknowledged({ resourceSubscriptions: ['a:1', 'A:1', 'b:1'] }),
      updated('a:1'),
      updated('A:1'),
    ]);
    expect(other.messages.slice(1)).toEqual([updated('A:1')]);
    expect(without.messages).toEqual([acknowledged({})]);
  });

  it('sends nothing more of a resource that its client may not read any longer, and ends when that is noticed', async () => {
    const secret: string[] = [];
    const { streams, open } = listening({ secret });
    const [connection, other] = [await open({ resourceSubscriptions: ['a:1', 'b:1'] }), await open(EVERY_LIST)];
    await streams.endForbidden();
    secret.push('a:1');
    await streams.broadcast({ kind: 'resource_updated', uri: 'a:1' });
    expect(connection.messages).toHaveLength(1);
    await streams.endForbidden();
    expect([connection.isOver, other.isOver]).toEqual([true, false]);
    expect(connection.messages.slice(1)).toEqual([ENDED]);
  });

  // Shows in 2026-07-28: subscriptions.closed
  it('is known by its client, until its connection is closed', async () => {
    const { streams, open, beats } = listening();
    const connection = await open(EVERY_LIST);
    beats.forEach((beat) => beat());
    expect(connection.body).toContain(': keep-alive');
    expect(streams.count).toBe(1);
    expect(streams.openStreams()).toEqual([{ caller: 'alice', program: PROGRAM, sessionId: null }]);
    connection.breakOff();
    expect([streams.count, streams.openStreams()]).toEqual([0, []]);
    expect(beats.size).toBe(0);
  });

  // Shows in 2026-07-28: subscriptions.result
  it('ends with those of its client or its key, or with all', async () => {
    const { streams, open } = listening();
    const openAs = (name: string, key: string) => open(EVERY_LIST, { caller: { name, origin: { key } } });
    const connections = [await openAs('alice', 'k1'), await openAs('alice', 'k2'), await openAs('bob', 'k1')];
    const over = () => connections.map(({ isOver }) => isOver);
    await streams.close({ client: 'alice', key: 'k1' });
    expect(over()).toEqual([true, false, false]);
    expect(connections[0]?.messages.at(-1)).toEqual(ENDED);
    await streams.close({ client: 'alice' });
    expect(over()).toEqual([true, true, false]);
    await streams.close();
    expect(over()).toEqual([true, true, true]);
  });

  it.each([
    [undefined],
    [null],
    [[]],
    ['tools'],
    [{ toolsListChanged: 'yes' }],
    [{ promptsListChanged: 1 }],
    [{ resourcesListChanged: null }],
    [{ resourceSubscriptions: 'a:1' }],
    [{ resourceSubscriptions: ['a:1', 7] }],
    [{ taskIds: {} }],
    [{ taskIds: [null] }],
  ])('is not opened for a filter like %j', async (filter) => {
    const { streams, open } = listening();
    const { res, messages } = await open(filter);
    expect(res.statusCode).toBe(200);
    expect(messages).toMatchObject([{ id: 'sub', error: { code: ErrorCode.invalidParams } }]);
    expect(JSON.stringify(messages)).toContain(
      '\\"notifications\\" must be an object with any of toolsListChanged, promptsListChanged, resourcesListChanged ' +
        '(booleans), resourceSubscriptions (an array of URIs) and taskIds (an array of ids)',
    );
    expect(streams.count).toBe(0);
  });

  it.each([
    [{ resourceSubscriptions: ['a:1', 'a:2', 'a:3', 'a:4', 'a:5'] }, 'may watch 4 resources and tasks'],
    [{ resourceSubscriptions: ['a:1', 'a:2', 'a:3'], taskIds: ['1', '2'] }, 'may watch 4 resources and tasks'],
    [{ resourceSubscriptions: ['a:12345', 'a:12345', 'a:12345'] }, 'may have 20 characters together'],
    [{ resourceSubscriptions: ['a:12345', 'a:12345'], taskIds: ['123456', '1'] }, 'may have 20 characters together'],
    [{ resourceSubscriptions: ['a:1', 'a:12345678'] }, 'an entry of resourceSubscriptions'],
    [{ taskIds: ['1', '1234567'] }, 'an entry of taskIds'],
  ])('is not opened for more than a client may follow: %j', async (filter, told) => {
    const { streams, open } = listening({ tasks: {} });
    const { messages } = await open(filter, { meta: WITH_TASKS });
    expect(streams.count).toBe(0);
    expect(messages).toMatchObject([{ id: 'sub', error: { code: ErrorCode.invalidParams } }]);
    expect(JSON.stringify(messages)).toContain(told);
  });

  it('is opened for as much as a client may follow', async () => {
    const { streams, open } = listening();
    await open({ resourceSubscriptions: ['a:12345', 'A:12345', 'a:1', 'A:1'] });
    await open({ taskIds: ['123456'] }, { meta: WITH_TASKS });
    expect(streams.count).toBe(2);
  });

  it('is refused to a client that has as many as it may, until one is closed', async () => {
    const { open } = listening({ most: 1 });
    const first = await open(EVERY_LIST);
    const refused = await open(EVERY_LIST);
    expect(refused.res.statusCode).toBe(429);
    expect(refused.headers).toMatchObject({ 'Retry-After': '30' });
    expect(refused.messages).toMatchObject([{ id: 'sub', error: {} }]);
    first.breakOff();
    expect((await open(EVERY_LIST)).res.statusCode).toBe(200);
  });

  it('is not opened for a client that has gone', async () => {
    const { streams, open } = listening();
    const { body, headers } = await open(EVERY_LIST, { isGone: true });
    expect([body, headers, streams.count]).toEqual(['', {}, 0]);
  });

  it('is open at once, so that it misses no change', () => {
    const { streams, connect } = listening();
    connect(EVERY_LIST);
    expect(streams.count).toBe(1);
  });
});

describe('a subscriptions/listen stream that follows tasks', () => {
  const told = (task: object): Received => ({
    jsonrpc: '2.0',
    method: 'notifications/tasks',
    params: { ...task, _meta: META },
  });

  // Shows in 2026-07-28: tasks.listen-own, tasks.whole-notification
  it('sends the tasks of its client, once each, now and when they change', async () => {
    const tasks = { 'alice:one': { taskId: 'one' }, 'bob:two': { taskId: 'two' }, 'alice:three': { taskId: 'three' } };
    const { streams, open, reads } = listening({ tasks });
    const connection = await open({ taskIds: ['one', 'two', 'one'], toolsListChanged: true }, { meta: WITH_TASKS });
    await settled();
    for (const taskId of ['one', 'two', 'three']) await streams.broadcast({ kind: 'task_changed', taskId });
    await settled();
    await streams.broadcast({ kind: 'task_changed', taskId: null });
    await settled();
    expect(connection.messages).toEqual([
      acknowledged({ toolsListChanged: true, taskIds: ['one'] }),
      ...Array.from({ length: 3 }, () => told({ taskId: 'one' })),
    ]);
    const readBefore = reads.length;
    connection.breakOff();
    await streams.broadcast({ kind: 'task_changed', taskId: 'one' });
    await settled();
    expect(reads).toHaveLength(readBefore);
  });

  it('ends when its own caller may not read a task any longer, though others of its client may', async () => {
    const without: string[] = [];
    const { streams, open } = listening({ tasks: { 'alice:one': { taskId: 'one' } }, without });
    const openWith = (key: string) =>
      open({ taskIds: ['one'] }, { meta: WITH_TASKS, caller: { name: 'alice', origin: { key } } });
    const connections = [await openWith('k1'), await openWith('k2'), await openWith('k3')];
    await settled();
    without.push('k1', 'k3');
    await streams.broadcast({ kind: 'task_changed', taskId: 'one' });
    await settled();
    const last = connections.map(({ messages }) => messages.at(-1));
    expect(last).toEqual([ENDED, told({ taskId: 'one' }), ENDED]);
    expect(connections.map(({ isOver, messages }) => [isOver, messages.length])).toEqual([
      [true, 3],
      [false, 3],
      [true, 3],
    ]);
  });

  it('acknowledges no tasks when none of them is its client’s', async () => {
    const { open } = listening({ tasks: {} });
    expect((await open({ taskIds: ['one'] }, { meta: WITH_TASKS })).messages).toEqual([acknowledged({})]);
    expect((await open({ taskIds: [] }, { meta: WITH_TASKS })).messages).toEqual([acknowledged({})]);
    const without = listening({ tasks: null });
    expect((await without.open({ taskIds: ['one'] }, { meta: WITH_TASKS })).messages).toEqual([acknowledged({})]);
  });

  // Shows in 2026-07-28: tasks.listen-undeclared
  it.each([
    [undefined],
    [{}],
    [{ 'io.modelcontextprotocol/clientCapabilities': {} }],
    [{ 'io.modelcontextprotocol/clientCapabilities': { extensions: {} } }],
    [{ 'io.modelcontextprotocol/clientCapabilities': { extensions: { other: {} } } }],
  ])('is refused to a client that has not declared the extension: %j', async (meta) => {
    const { open } = listening({ tasks: {} });
    const { res, messages } = await open({ taskIds: [] }, { meta });
    expect(res.statusCode).toBe(400);
    expect(messages).toMatchObject([{ id: 'sub', error: { code: ErrorCode.missingCapability } }]);
  });

  it('is closed when its client is revoked before it is known what it may follow', async () => {
    const { streams, connect, hold } = listening({ tasks: { 'alice:one': {}, 'bob:one': {} } });
    const release = hold();
    const [alice, bob] = ['alice', 'bob'].map((name) =>
      connect({ taskIds: ['one'] }, { meta: WITH_TASKS, caller: { name } }),
    );
    await streams.close({ client: 'alice' });
    expect([alice?.connection.isOver, bob?.connection.isOver, streams.count]).toEqual([true, false, 0]);
    release();
    await Promise.all([alice?.opened, bob?.opened]);
    expect([alice?.connection.body, alice?.connection.headers, streams.count]).toEqual(['', {}, 1]);
    await streams.close();
    expect(bob?.connection.messages.at(-1)).toEqual(ENDED);
  });

  it('does not promise what became forbidden meanwhile', async () => {
    const secret: string[] = [];
    const { connect, hold } = listening({ secret, tasks: {} });
    const release = hold();
    const { connection, opened } = connect({ taskIds: ['one'], resourceSubscriptions: ['a:1'] }, { meta: WITH_TASKS });
    secret.push('a:1');
    release();
    await opened;
    expect(connection.messages).toEqual([acknowledged({})]);
  });

  it('ends when a task cannot be read, so that its client asks again', async () => {
    const tasks: Record<string, object> = { 'alice:one': { taskId: 'one' } };
    const { streams, open, failures, failNow } = listening({ tasks });
    const connection = await open({ taskIds: ['one'] }, { meta: WITH_TASKS });
    const other = await open(EVERY_LIST);
    await settled();
    failNow();
    await streams.broadcast({ kind: 'task_changed', taskId: 'one' });
    await settled();
    expect(failures).toEqual([new Error('broken')]);
    expect([connection.messages.at(-1), other.isOver]).toEqual([ENDED, false]);
  });

  it('ends when a task has been deleted, so that its client does not wait for it', async () => {
    const tasks: Record<string, object> = { 'alice:one': { taskId: 'one' } };
    const { streams, open, failures } = listening({ tasks });
    const connection = await open({ taskIds: ['one'] }, { meta: WITH_TASKS });
    await settled();
    delete tasks['alice:one'];
    await streams.broadcast({ kind: 'task_changed', taskId: 'one' });
    await settled();
    expect([connection.messages.slice(2), connection.isOver, failures]).toEqual([[ENDED], true, []]);
  });
});

const off = (flags: object) => Object.fromEntries(Object.keys(flags).map((flag) => [flag, false]));
const settled = () => new Promise((resolve) => setImmediate(resolve));

interface Setting {
  capabilities?: object | undefined;
  /** URIs that nobody may subscribe to. */
  secret?: string[];
  /** Each under `client:id`. */
  tasks?: Record<string, object> | null;
  /** Keys of clients without tasks. */
  without?: string[];
  most?: number;
}

interface Asking {
  caller?: Caller;
  meta?: Record<string, unknown> | undefined;
  isGone?: boolean;
}

function listening(setting: Setting = {}) {
  const { secret = [], tasks = null, without = [], most = 100 } = setting;
  const capabilities = 'capabilities' in setting ? setting.capabilities : ALL_CAPABILITIES;
  const failures: unknown[] = [];
  const reads: string[] = [];
  let reading: () => Promise<void> = async () => {};
  const limits = () => ({
    ...ROOMY_LIMITS,
    maxSubscriptions: 4,
    maxSubscriptionBytes: 20,
    maxUriLength: 9,
    maxIdLength: 6,
  });
  const find = async (caller: Caller, taskId: string) => {
    const { name } = caller;
    reads.push(taskId);
    await reading();
    if (without.includes(keyOf(caller) ?? '')) return null;
    return tasks?.[`${name}:${taskId}`] ?? null;
  };
  const host = hostWith(
    { limits, onStorageError: (error) => void failures.push(error) },
    {
      serverOptions: capabilities ? { capabilities } : {},
      mayWatch: (_caller, uri) => !secret.includes(uri),
      canonicalUri: (uri) => uri.toLowerCase(),
      tasks: tasks && { find },
    },
  );
  const { events, beats } = eventStreams(limits);
  const streams = new ListenStreams(host, events, new Quota(STREAMS, () => limitsFor(null, most, 100)));
  const connect = (notifications: unknown, { caller = { name: 'alice' }, meta, isGone = false }: Asking = {}) => {
    const connection = new Connection();
    if (isGone) connection.breakOff();
    const params = { notifications, ...(meta && { _meta: meta }) };
    const message = { jsonrpc: '2.0' as const, id: 'sub', method: 'subscriptions/listen', params };
    return { connection, opened: streams.open({ message, caller, program: PROGRAM, res: connection.res }) };
  };
  const open = async (notifications: unknown, asking?: Asking) => {
    const { connection, opened } = connect(notifications, asking);
    await opened;
    return connection;
  };
  /** Makes reads of tasks wait until the returned function is called. */
  const hold = () => {
    const held = Promise.withResolvers<void>();
    reading = () => held.promise;
    return held.resolve;
  };
  const failNow = () => (reading = () => Promise.reject(new Error('broken')));
  return { streams, open, connect, hold, failNow, failures, beats, reads };
}
