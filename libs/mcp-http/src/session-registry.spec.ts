import { jest } from '@jest/globals';
import { Random } from '../../../test/fuzz/random.js';
import type { Caller } from './caller.js';
import { DEFAULT_TIMING, type EndpointLimits, type EndpointTiming } from './endpoint-options.js';
import { memoryStorage } from './memory-storage.js';
import { type EndpointStorage, type SessionRecord, unusedSince } from './storage.js';
import { SessionRegistry } from './session-registry.js';
import { bodyReader, Connection } from './received.testing.js';
import {
  around,
  callOf,
  eventStreams,
  hostWith,
  openSession,
  ROOMY_LIMITS,
  startEndpoint,
  type TestEndpoint,
  until,
} from './testing.js';

const CHANGED = 'notifications/tools/list_changed';

describe('the sessions in memory', () => {
  let server: TestEndpoint;
  afterEach(() => server.stop());

  const echo = (session: Record<string, string>) => server.post(callOf('echo'), session);
  const idOf = (session: Record<string, string>) => session['mcp-session-id'] ?? '';

  /** A storage that records which sessions are read, and delays the reads while it is held. */
  function watched() {
    const storage = memoryStorage();
    const read: string[] = [];
    const state = { gate: null as Promise<unknown> | null };
    const { sessions } = storage;
    const find = sessions.find.bind(sessions);
    sessions.find = async (id) => {
      read.push(id);
      const record = await find(id);
      await state.gate;
      return record;
    };
    return { storage, read, state };
  }

  it('are those that were used last', async () => {
    const { storage, read } = watched();
    server = await startEndpoint({ storage, timing: { mostWarm: 3 } });
    const [first = {}, second = {}] = [await openSession(server), await openSession(server), await openSession(server)];
    await (await echo(first)).text();
    await openSession(server);
    expect(server.endpoint.counts().warmSessions).toBe(3);
    await (await echo(first)).text();
    expect(read).toEqual([]);
    await (await echo(second)).text();
    expect(read).toEqual([idOf(second)]);
  });

  it.each(['latest', 'after'] as const)('stay while a stream is opened that waits for changes.%s', async (step) => {
    const storage = memoryStorage();
    const gate = Promise.withResolvers<void>();
    let isHeld = false;
    let isReached = false;
    const changes = around(storage.changes, async (method, call) => {
      if (!isHeld || method !== step) return call();
      isReached = true;
      await gate.promise;
      return call();
    });
    server = await startEndpoint({ storage: { ...storage, changes }, timing: { mostWarm: 3 } });
    const session = await openSession(server);
    isHeld = true;
    const opening = fetch(server.url, { headers: session });
    await until(() => isReached);
    isHeld = false;
    for (let count = 0; count < 6; count += 1) await (await echo(await openSession(server))).text();
    gate.resolve();
    const stream = await opening;
    await (await echo(session)).text();
    await server.endpoint.publish({ kind: 'tools_list_changed' });
    await server.endpoint.endSession(idOf(session));
    expect((await stream.text()).split(CHANGED)).toHaveLength(2);
  });

  it('let no stream go deaf, whatever ten clients do with room for three', async () => {
    const random = new Random(7);
    const storage = memoryStorage();
    const sessions = around(storage.sessions, async (_method, call) => {
      await new Promise((resolve) => setTimeout(resolve, random.next() * 3));
      return call();
    });
    server = await startEndpoint({ storage: { ...storage, sessions }, timing: { mostWarm: 3, warmMs: 20 } });
    const clients = await Promise.all(Array.from({ length: 10 }, () => openSession(server)));
    const streams = new Map<Record<string, string>, ReturnType<typeof bodyReader>>();
    const act = async (session: Record<string, string>) => {
      const stream = streams.get(session);
      if (random.next() < 0.5) return void (await (await echo(session)).text());
      if (!stream) return void streams.set(session, bodyReader(await fetch(server.url, { headers: session })));
      if (random.next() < 0.5) return;
      streams.delete(session);
      await stream.cancel();
    };
    for (let round = 1; round <= 12; round += 1) {
      await Promise.all(clients.map(act));
      await until(() => server.endpoint.counts().streams === streams.size);
      await server.endpoint.publish({ kind: 'tools_list_changed' });
      const told = `id: get.${round}\ndata: {`;
      for (const stream of streams.values()) expect((await stream.until(told)).split(told)).toHaveLength(2);
    }
    await Promise.all(Array.from(streams.values(), (stream) => stream.cancel()));
    await until(() => server.endpoint.counts().warmSessions === 0);
  });

  /** Begins to bring back a session after a restart; the gate lets it go on. */
  const broughtBack = async () => {
    const { storage, read, state } = watched();
    server = await startEndpoint({ storage });
    const session = await openSession(server);
    await server.stop();
    server = await startEndpoint({ storage });
    const gate = Promise.withResolvers<void>();
    state.gate = gate.promise;
    const waking = echo(session);
    await until(() => read.length === 1);
    return { session, waking, gate };
  };

  it.each([
    ['is ended', (id: string) => server.endpoint.endSession(id), 404, -32001],
    ['has its key revoked', async () => server.endpoint.revoke({ client: 'alice' }), 401, -32000],
  ] as const)('never have one that %s while it is brought back', async (_what, end, status, code) => {
    const { session, waking, gate } = await broughtBack();
    await end(idOf(session));
    gate.resolve();
    const res = await waking;
    expect([res.status, ((await res.json()) as { error: { code: number } }).error.code]).toEqual([status, code]);
    expect(server.endpoint.counts().warmSessions).toBe(0);
  });

  it('keep one that another client of the same moment has to give up', async () => {
    const { waking, gate } = await broughtBack();
    server.endpoint.revoke({ client: 'bob' });
    gate.resolve();
    expect((await waking).status).toBe(200);
  });
});

const caller: Caller = { name: 'alice' };
const INITIALIZE = {
  jsonrpc: '2.0' as const,
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};

/** Returns a registry without a network. */
function registryOn(storage: EndpointStorage, changed: Partial<EndpointLimits & EndpointTiming>) {
  const limits = { ...ROOMY_LIMITS, ...changed };
  const options = hostWith(
    { storage, limits: () => limits },
    {
      serverOptions: { capabilities: { tools: {} } },
      register: (server) => server.setRequestHandler('tools/list', () => new Promise(() => undefined)),
    },
  );
  const { events, unread } = eventStreams(() => limits);
  unread.stop();
  return new SessionRegistry(options, { ...DEFAULT_TIMING, ...changed }, events);
}

describe('a session that is brought back', () => {
  it('is the same for all who ask for it, at whatever moment, though there is room for one', async () => {
    const storage = memoryStorage();
    const first = registryOn(storage, {});
    const opened = await Promise.all([1, 2, 3].map(() => first.initialize(INITIALIZE, caller, {})));
    await first.close();
    const registry = registryOn(storage, { mostWarm: 1 });
    const asked: { id: string; found: Promise<unknown> }[] = [];
    for (let moment = 0; moment < 60; moment += 1) {
      for (const { session } of opened) {
        const { id } = session.record;
        asked.push({ id, found: registry.find(id, caller, new Connection().res) });
      }
      await Promise.resolve();
    }
    for (const { session } of opened) {
      const found = await Promise.all(asked.filter(({ id }) => id === session.record.id).map((one) => one.found));
      expect(new Set(found).size).toBe(1);
    }
    await registry.close();
  });
});

describe('the time of the last use of a session', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  });
  afterEach(() => void jest.useRealTimers());

  async function opened(sessionIdleMs: number) {
    const storage = memoryStorage();
    const registry = registryOn(storage, { sessionIdleMs });
    const { session } = await registry.initialize(INITIALIZE, caller, {});
    const { id } = session.record;
    const record = async () => (await storage.sessions.find(id)) as SessionRecord;
    return {
      registry,
      id,
      isExpired: async () => (await record()).lastSeenAt < unusedSince(new Date(), sessionIdleMs),
      use: async () => {
        const connection = new Connection();
        const found = await registry.find(id, caller, connection.res);
        connection.breakOff();
        await new Promise((resolve) => setImmediate(resolve));
        return found !== null;
      },
      stop: () => registry.close(),
    };
  }

  const IDLE_MS = [1_000, 5_000, 20_000, 60_000, 75_000, 600_000];

  it.each(IDLE_MS)('is never older than it may be while the session is used, at %d ms', async (idleMs) => {
    const random = new Random(idleMs);
    const { isExpired, use, stop } = await opened(idleMs);
    for (let count = 0; count < 100; count += 1) {
      jest.advanceTimersByTime(random.next() * idleMs * 0.99);
      expect(await isExpired()).toBe(false);
      expect(await use()).toBe(true);
    }
    jest.advanceTimersByTime(idleMs * 1.5 + 60_000);
    expect([await isExpired(), await use()]).toEqual([true, false]);
    await stop();
  });

  it.each(IDLE_MS)('stays alive while a stream is open or a call runs, at %d ms', async (idleMs) => {
    for (const how of ['stream', 'call', 'response'] as const) {
      const { registry, id, isExpired, stop } = await opened(idleMs);
      const connection = new Connection();
      const session = await registry.find(id, caller, connection.res);
      if (!session) throw new Error('it was just opened');
      if (how === 'stream') session.attachStream({ name: 'p/1', res: connection.res, seq: 0, caller });
      const sink = { answer: () => {}, send: () => true, cancel: () => {}, abandon: () => {} };
      const request = { jsonrpc: '2.0' as const, id: 2, method: 'tools/list', params: {} };
      if (how === 'call') {
        session.transport.request(request, sink, {});
        connection.breakOff();
      }
      for (let count = 0; count < 50; count += 1) {
        jest.advanceTimersByTime(Math.min(idleMs / 10, 3_600_000));
        expect([how, await isExpired()]).toEqual([how, false]);
      }
      await stop();
    }
  });

  it('stays alive while a stream is open, also after the clock was set back', async () => {
    const before = await opened(60_000);
    jest.advanceTimersByTime(60_000);
    jest.setSystemTime(Date.now() - 86_400_000);
    const { session } = await before.registry.initialize(INITIALIZE, caller, {});
    session.attachStream({ name: 'p/1', res: new Connection().res, seq: 0, caller });
    jest.advanceTimersByTime(120_000);
    expect(session.record.lastSeenAt.getTime()).toBeGreaterThanOrEqual(+unusedSince(new Date(), 60_000));
    await before.stop();
  });
});
