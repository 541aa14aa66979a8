import { jest } from '@jest/globals';
import type { JSONRPCResponse, LoggingLevel, Server } from '@modelcontextprotocol/server';
import { changeNotification, type LoggedChange, type PlainChange } from './change.js';
import type { EndpointOptions } from './endpoint-options.js';
import type { Caller } from './caller.js';
import type { AnswerSink } from './exchange-transport.js';
import { memoryStorage } from './memory-storage.js';
import { SESSION_ENDED } from './refusals.js';
import type { RelayedNews } from './relay.js';
import type { SessionRecord } from './storage.js';
import { Connection } from './received.testing.js';
import { eventStreams, hostWith, ROOMY_LIMITS, storedSession } from './testing.js';
import { WarmSession } from './warm-session.js';

const TOOLS = { kind: 'tools_list_changed' } as const;
const ALICE = { name: 'alice' };
const listChanged = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
const updated = (uri: string) => ({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
const change = (uri: string): PlainChange => ({ kind: 'resource_updated', uri });

describe('a session in memory', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('is of the program that opened it, and of the client with its key', () => {
    const { session } = warm({ key: 'k1' });
    expect(session.program).toEqual({ name: 'editor', version: '1.2', protocolVersion: '2025-11-25' });
    expect(session.owner).toEqual({ name: 'alice', origin: { key: 'k1' } });
    const unknown = { name: 'unknown', version: 'unknown', protocolVersion: '2025-06-18' };
    expect(warm({ initialize: {}, protocolVersion: '2025-06-18' }).session.program).toEqual(unknown);
  });

  it('is idle when nobody uses it, it serves no request and has no stream', async () => {
    const { session, call } = warm();
    await session.restore();
    expect(session.isIdle).toBe(true);
    const [one, other] = [session.hold(), session.hold()];
    one();
    expect(session.isIdle).toBe(false);
    other();
    expect(session.isIdle).toBe(true);
    const connection = new Connection();
    session.useFor(connection.res);
    expect(session.isIdle).toBe(false);
    connection.breakOff();
    expect(session.isIdle).toBe(true);
    const stream = attached(session);
    expect([session.isIdle, session.hasStream]).toEqual([false, true]);
    stream.breakOff();
    expect([session.isIdle, session.hasStream]).toEqual([true, false]);
    call('wait');
    expect(session.isIdle).toBe(false);
  });

  it('has the time of its last use written now and then', async () => {
    const nowMs = 1_000_000;
    jest.spyOn(Date, 'now').mockReturnValue(nowMs);
    const often = new Date(nowMs - ROOMY_LIMITS.sessionIdleMs / 4 + 1);
    const { session, stored } = warm({ lastSeenAt: often });
    session.touch();
    expect([(await stored())?.lastSeenAt, session.record.lastSeenAt]).toEqual([often, often]);
    session.record.lastSeenAt = new Date(often.getTime() - 1);
    session.touch();
    expect([(await stored())?.lastSeenAt, session.record.lastSeenAt]).toEqual([new Date(nowMs), new Date(nowMs)]);
  });

  it('continues with what its client sent and set before', async () => {
    const { session, levels } = warm({ logLevel: 'warning' });
    await session.restore();
    expect([levels, session.isBehind]).toEqual([['warning'], true]);
    const fresh = warm();
    await fresh.session.restore();
    expect(fresh.levels).toEqual([]);
  });

  it('records its log level, and notifies the other processes', async () => {
    const { session, stored, told } = warm();
    await session.recordLogLevel('error');
    expect([session.record.logLevel, (await stored())?.logLevel]).toEqual(['error', 'error']);
    expect(told).toEqual([{ kind: 'session_changed', sessionId: 'session' }]);
  });

  it('takes over what another process changed, and sets the log level only when it is another one', async () => {
    const { session, levels } = warm({ eventSeq: 5, subscriptions: ['a:1'], logLevel: 'error' });
    await session.restore();
    const answered = { after: 5, upTo: 7 };
    const newer = { ...session.record, eventSeq: 7, answered, subscriptions: ['a:2'] };
    await session.takeOver({ ...newer, logLevel: 'error' });
    await session.takeOver({ ...newer, logLevel: null });
    expect([levels, session.record.logLevel]).toEqual([['error'], 'error']);
    expect([...session.subscriptions.list()]).toEqual(['a:2']);
    await session.takeOver({ ...newer, eventSeq: 6, answered: { after: 5, upTo: 6 }, logLevel: 'debug' });
    expect(session.record.answered).toEqual(answered);
    expect([levels, session.record.logLevel, session.record.eventSeq]).toEqual([['error', 'debug'], 'debug', 7]);
  });

  it('has the handler of a method registered when the method first comes', async () => {
    const { session, ask, registered } = warm();
    await session.restore();
    expect(registered).toEqual([]);
    for (const time of ['first', 'second']) {
      expect([time, await ask('tools/list')]).toMatchObject([time, { result: { tools: [] } }]);
    }
    expect(registered).toEqual(['tools/list']);
    expect(await ask('resources/list')).toMatchObject({ error: { code: -32601, message: 'Method not found' } });
  });

  it('ends with its stream and its calls', async () => {
    const { session, call } = warm();
    await session.restore();
    const stream = attached(session);
    const answers = call('wait');
    expect(session.isEnded).toBe(false);
    await session.close(SESSION_ENDED);
    expect([session.isEnded, session.hasStream, stream.isOver]).toEqual([true, false, true]);
    expect(answers).toEqual([SESSION_ENDED]);
  });
});

describe('the stream of a session', () => {
  it('has first what its client missed, then what came meanwhile, each once', () => {
    const { session } = warm({ subscriptions: ['a:1', 'A:1', 'a:2'] });
    const stream = attached(session, 3);
    notify(session, change('a:2'), 6);
    notify(session, change('a:1'), 7);
    expect(stream.body).toBe('');
    const missed: LoggedChange[] = [
      { seq: 3, event: TOOLS },
      { seq: 4, event: { kind: 'task_changed', taskId: 'one' } },
      { seq: 5, event: TOOLS },
      { seq: 6, event: change('a:2') },
    ];
    session.catchUp(stream.res, missed, 6);
    expect(stream.messages).toEqual([listChanged, updated('a:2'), updated('a:1'), updated('A:1')]);
    expect([...stream.body.matchAll(/^id: (.*)$/gm)].map(([, id]) => id)).toHaveLength(3);
    notify(session, TOOLS, 7);
    expect(stream.messages).toHaveLength(4);
    notify(session, TOOLS, 8);
    expect(stream.messages.at(-1)).toEqual(listChanged);
  });

  it('has caught up to the given number, though no change concerned it', () => {
    const { session } = warm();
    const stream = attached(session, 3);
    session.catchUp(stream.res, [], 9);
    notify(session, TOOLS, 9);
    expect(stream.messages).toEqual([]);
    stream.breakOff();
    expect(session.record.eventSeq).toBe(9);
  });

  it('catches up once, and only itself', () => {
    const { session } = warm();
    const old = attached(session, 0);
    const stream = attached(session, 0);
    expect([old.isOver, stream.isOver]).toEqual([true, false]);
    const missed = [{ seq: 1, event: TOOLS }];
    session.catchUp(old.res, missed, 1);
    expect(stream.messages).toEqual([]);
    session.catchUp(stream.res, missed, 1);
    session.catchUp(stream.res, [{ seq: 2, event: TOOLS }], 2);
    expect(stream.messages).toEqual([listChanged]);
  });

  it('ends when too much comes before it has caught up', () => {
    const { session } = warm();
    const stream = attached(session, 0);
    for (let seq = 1; seq <= 10_000; seq += 1) notify(session, TOOLS, seq);
    expect(stream.isOver).toBe(false);
    notify(session, TOOLS, 10_001);
    expect([stream.isOver, session.hasStream]).toEqual([true, false]);
  });

  it('records the last event of its client, and notifies the other processes that it is open', async () => {
    const { session, stored, told } = warm();
    const old = attached(session, 0);
    session.catchUp(old.res, [], 0);
    notify(session, TOOLS, 4);
    const stream = attached(session, 4);
    old.breakOff();
    expect([session.hasStream, session.record.eventSeq, (await stored())?.eventSeq]).toEqual([true, 4, 4]);
    expect(told).toEqual([1, 2].map(() => ({ kind: 'stream_opened', sessionId: 'session' })));
    stream.breakOff();
    expect(session.hasStream).toBe(false);
  });

  it('notifies its own client of its own lists, and of subscribed resources that it may read', () => {
    const { session } = warm({ subscriptions: ['a:1', 'secret:1'] });
    const stream = caughtUp(session);
    const changes = [{ ...TOOLS, client: 'bob' }, change('a:2'), change('secret:1'), change('a:1')];
    changes.forEach((event, index) => notify(session, event, index + 1));
    notify(session, { ...TOOLS, client: 'alice' }, 5);
    expect(stream.messages).toEqual([updated('a:1'), listChanged]);
    expect(stream.lastId).toMatch(/5$/);
  });

  it('is absent for a client that must be notified of something later', () => {
    const { session } = warm();
    caughtUp(session);
    notify(session, TOOLS, 1);
    expect(session.isBehind).toBe(false);
    session.closeStream();
    notify(session, TOOLS, 2);
    expect(session.isBehind).toBe(true);
  });

  it('asks nobody what may be watched that is not watched', () => {
    const { session, asked } = warm({ subscriptions: ['a:1'] });
    expect(session.changesFor(change('a:2'), ALICE)).toEqual([]);
    expect(asked).toEqual([]);
    expect(session.changesFor(change('A:1'), ALICE)).toEqual([change('a:1')]);
    expect(session.changesFor(change('secret:1'), ALICE)).toEqual([]);
    expect([session.changesFor(TOOLS, ALICE), session.changesFor({ ...TOOLS, client: 'bob' }, ALICE)]).toEqual([
      [TOOLS],
      [],
    ]);
  });

  it('loses the subscriptions that are no longer allowed', () => {
    const { session } = warm({ subscriptions: ['a:1', 'secret:1'] });
    session.endForbidden();
    expect([...session.subscriptions.list()]).toEqual(['a:1', 'secret:1']);
    attached(session);
    session.endForbidden();
    expect([...session.subscriptions.list()]).toEqual(['a:1']);
  });

  it('carries what the server sends of itself, when it is open', async () => {
    const { session, server } = warm();
    await session.restore();
    await server.sendToolListChanged();
    const stream = attached(session);
    await server.sendToolListChanged();
    expect(stream.messages).toEqual([listChanged]);
  });

  it('ends for clients that reconnect when the service stops, and breaks for older ones', () => {
    const interrupted = (protocolVersion: string) => {
      const { session } = warm({ protocolVersion });
      const { res } = attached(session);
      void session.interruptStream();
      return [session.hasStream, res.writableEnded];
    };
    expect(interrupted('2025-11-25')).toEqual([false, true]);
    expect(interrupted('2025-06-18')).toEqual([false, false]);
  });
});

type Session = WarmSession<Caller>;

const notify = (session: Session, event: PlainChange, seq: number) =>
  session.notify(event, seq, changeNotification(event));

function attached(session: Session, seq = 0): Connection {
  const connection = new Connection();
  session.attachStream({ name: 'this/1', res: connection.res, seq, caller: ALICE });
  return connection;
}

function caughtUp(session: Session): Connection {
  const stream = attached(session);
  session.catchUp(stream.res, [], 0);
  return stream;
}

/** Returns a session of alice as it is stored, and what it reports. */
function warm(changes: Partial<SessionRecord> = {}) {
  const clientInfo = { name: 'editor', version: '1.2' };
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const record = storedSession({ initialize, ...changes });
  const storage = memoryStorage();
  void storage.sessions.create({ ...record });
  const [told, levels, asked, registered]: [RelayedNews[], LoggingLevel[], string[], unknown[]] = [[], [], [], []];
  const relay = {
    process: 'this',
    send: async (news: RelayedNews) => void told.push(news),
    isAtWork: async () => true,
  };
  const options: EndpointOptions<Caller> = hostWith(
    { storage: { ...storage, relay } },
    {
      serverOptions: { capabilities: { tools: { listChanged: true }, logging: {} } },
      canonicalUri: (uri) => uri.toLowerCase(),
      mayWatch: (_caller, uri) => {
        asked.push(uri);
        return !uri.startsWith('secret:');
      },
      register: (server, _subscriptions, method) => {
        registered.push(method);
        if (method === 'tools/call') server.setRequestHandler(method, () => new Promise(() => undefined));
        if (method === 'tools/list') server.setRequestHandler(method, () => ({ tools: [] }));
      },
    },
  );
  const session = new WarmSession(record, options, eventStreams().events);
  const server = Reflect.get(session, 'server') as Server;
  server.setRequestHandler('logging/setLevel', ({ params }) => {
    levels.push(params.level);
    return {};
  });
  const request = (method: string, params: Record<string, unknown>, sink: Partial<AnswerSink>) => {
    const deaf = { send: () => true, answer: () => {}, cancel: () => {}, abandon: () => {} };
    session.transport.request({ jsonrpc: '2.0', id: 1, method, params }, { ...deaf, ...sink }, {});
  };
  const ask = (method: string) => new Promise<JSONRPCResponse>((answer) => request(method, {}, { answer }));
  /** Starts a call, and returns the reasons for which it was abandoned. */
  const call = (name: string) => {
    const abandoned: unknown[] = [];
    request('tools/call', { name }, { abandon: (why) => void abandoned.push(why) });
    return abandoned;
  };
  return {
    session,
    ask,
    call,
    server,
    registered,
    told,
    levels,
    asked,
    stored: () => storage.sessions.find('session'),
  };
}
