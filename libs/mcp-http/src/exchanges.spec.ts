import { jest } from '@jest/globals';
import { DEFAULT_TIMING } from './endpoint-options.js';
import { Exchanges } from './exchanges.js';
import type { Asked } from './exchange-transport.js';
import { FairQueue } from './fair-queue.js';
import { errorMessage } from './json-rpc.js';
import { memoryStorage } from './memory-storage.js';
import { KEY_REVOKED, SERVICE_STOPPED, SERVICE_STOPPING } from './refusals.js';
import { ResumableStream } from './resumable-stream.js';
import { Connection, requestWith } from './received.testing.js';
import { eventStreams, ROOMY_LIMITS } from './testing.js';

const ASKED: Asked = { method: 'tools/call', tool: 'large' };
const LARGE = 'x'.repeat(6_000);

describe('the exchanges of a process', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => void jest.useRealTimers());

  it('are counted until they have ended, and their owner is notified', () => {
    const { exchanges, open } = started();
    const one = open({ requestIds: [1, 2] });
    const other = open({ caller: { name: 'bob' } });
    expect(exchanges.count).toBe(2);
    one.answer();
    expect([exchanges.count, one.told]).toEqual([2, []]);
    one.answer(2);
    expect([exchanges.count, one.told]).toEqual([1, ['ended']]);
    other.connection.breakOff();
    expect([exchanges.count, other.told]).toEqual([0, ['abandoned', 'ended']]);
  });

  it('begin with the given headers, in a form that the client accepts', () => {
    const { open } = started();
    const json = open({ headers: { 'Mcp-Session-Id': 'session' } }, { accept: 'application/json' });
    json.answer();
    expect(json.connection.messages).toMatchObject([{ id: 1 }]);
    expect(json.connection.headers).toMatchObject({ 'Content-Type': 'application/json', 'Mcp-Session-Id': 'session' });
    const stream = open({}, { accept: 'text/event-stream' });
    stream.answer();
    expect(stream.connection.headers).toMatchObject({ 'Content-Type': 'text/event-stream' });
  });

  it('answer a batch with an array, though one answer is all there is', () => {
    const { open } = started();
    const batch = open({ batch: true });
    const single = open({ batch: false });
    [batch, single].forEach((call) => call.answer());
    expect([batch.connection.body, single.connection.body].map((text) => text[0])).toEqual(['[', '{']);
  });

  it('may be as many as a client may have calls, each request of a batch being one', () => {
    const { exchanges, open, charged } = started();
    expect(exchanges.refusal('alice', 3)).toBeNull();
    const batch = open({ requestIds: [1, 2] });
    expect(exchanges.refusal('alice', 1)).toBeNull();
    expect(charged).toEqual([]);
    expect(exchanges.refusal('alice', 2)).toMatchObject({ httpStatus: 429 });
    expect(exchanges.refusal('bob', 2)).toBeNull();
    expect(charged).toEqual(['alice']);
    [1, 2].forEach((id) => batch.answer(id));
    expect(exchanges.refusal('alice', 3)).toBeNull();
  });

  it("may be as many as the client's own limit", () => {
    const { exchanges } = started();
    expect(exchanges.refusal('quick', 4)).toBeNull();
    expect(exchanges.refusal('quick', 5)).toMatchObject({ httpStatus: 429 });
  });

  it('may be as many as all clients together may have', () => {
    const { exchanges, open } = started();
    open({ caller: { name: 'bob' }, requestIds: [1, 2, 3] });
    expect(exchanges.refusal('alice', 2)).toBeNull();
    expect(exchanges.refusal('alice', 3)).toMatchObject({ httpStatus: 503 });
  });

  it.each([
    [null, false],
    [5_900, true],
    [100, false],
    [1_000, false],
  ])('send large results of a tool that may return %j: %j', (limit, isSent) => {
    const { open } = started((tool) => (tool === 'large' ? limit : null));
    const call = open({});
    call.answer(1, LARGE);
    expect(call.connection.body.includes(LARGE)).toBe(isSent);
  });

  it('send what all may return, though the limit of the tool is lower', () => {
    const { open } = started(() => 0);
    const call = open({});
    call.answer(1, 'x'.repeat(4_800));
    expect(call.connection.body).not.toContain('too large');
  });

  it('send of a batch what fits together, in bytes', () => {
    const { open } = started();
    const batch = open({ batch: true, requestIds: [1, 2, 3] });
    batch.answer(1, '€'.repeat(1_000));
    batch.answer(2, 'x'.repeat(3_000));
    batch.answer(3, 'x'.repeat(1_000));
    expect(batch.connection.messages.map(({ result }) => JSON.stringify(result).includes('too large'))).toEqual([
      false,
      true,
      false,
    ]);
    expect(batch.connection.body).toContain('for all answers to a batch');
  });

  it('use the general limit for requests other than tool calls, and without limits of tools', () => {
    const resource = started(() => 1_000_000).open({});
    resource.answer(1, LARGE, { method: 'resources/read', tool: null });
    const tool = started(undefined).open({});
    tool.answer(1, LARGE);
    expect([resource.connection.body, tool.connection.body].map((body) => body.includes('the limit is 5000'))).toEqual([
      true,
      true,
    ]);
  });

  it('end with the reason for those who are cut off', () => {
    const { exchanges, open } = started();
    const [first, second] = ['k1', 'k2'].map((key) => open({ caller: { name: 'alice', origin: { key } } }));
    const other = open({ caller: { name: 'bob' } });
    exchanges.revoke(KEY_REVOKED, { client: 'alice', key: 'k1' });
    expect(first?.connection.messages).toMatchObject([{ id: 1, error: { message: KEY_REVOKED.message } }]);
    expect([first, second, other].map((call) => call?.told)).toEqual([['ended', 'abandoned'], [], []]);
    exchanges.revoke(KEY_REVOKED, { client: 'alice' });
    expect([second, other].map((call) => call?.told)).toEqual([['ended', 'abandoned'], []]);
  });

  it('all end when the service stops, and no more are taken', () => {
    const { exchanges, open, charged } = started();
    const calls = ['alice', 'bob'].map((name) => open({ caller: { name } }));
    exchanges.stop();
    for (const { connection, told } of calls) {
      expect(connection.messages).toMatchObject([{ id: 1, error: { message: SERVICE_STOPPED.message } }]);
      expect(told).toEqual(['ended', 'abandoned']);
    }
    expect(SERVICE_STOPPED.message).toContain('a run that it started goes on');
    expect(exchanges.refusal('carol', 1)).toBe(SERVICE_STOPPING);
    expect(charged).toEqual([]);
  });

  it('have their responses recorded for clients that resume when the service has stopped', async () => {
    const { exchanges, open } = started();
    const { journal } = memoryStorage();
    const resumable = new ResumableStream(
      { journal, withinMs: 1_000, readWithinMs: 1_000, onError: () => {} },
      { sessionId: 'session', requestIds: [1], process: 'p' },
    );
    const opened: string[] = [];
    const call = open({ resumable, onResumable: (streamId) => void opened.push(streamId) });
    call.exchange.send({ jsonrpc: '2.0', method: 'notifications/a' });
    exchanges.stop();
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(opened).toEqual([resumable.id]);
    expect(await journal.find(resumable.id)).toMatchObject({ finished: true });
    const recorded = await journal.after(resumable.id, 1);
    expect(recorded.map(({ message }) => message)).toEqual([JSON.stringify(errorMessage(1, SERVICE_STOPPED))]);
  });

  it('are drained when the last has ended', async () => {
    const { exchanges, open } = started();
    const [one, other] = [open({}), open({})];
    let isDrained = false;
    void exchanges.drained(60_000).then(() => (isDrained = true));
    one.answer();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(isDrained).toBe(false);
    other.answer();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(isDrained).toBe(true);
    await exchanges.drained(60_000);
  });

  it('are waited for no longer than they may take', async () => {
    const { exchanges, open } = started();
    open({});
    let isOver = false;
    void exchanges.drained(1_000).then(() => (isOver = true));
    await jest.advanceTimersByTimeAsync(900);
    expect(isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(200);
    expect([isOver, exchanges.count]).toEqual([true, 1]);
  });

  it.each([
    ['back', -86_400_000],
    ['forward', 86_400_000],
  ])('are waited for as long when the clock is set %s', async (_direction, ms) => {
    const { exchanges, open } = started();
    open({});
    let isOver = false;
    void exchanges.drained(1_000).then(() => (isOver = true));
    jest.setSystemTime(Date.now() + ms);
    await jest.advanceTimersByTimeAsync(900);
    expect(isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(200);
    expect(isOver).toBe(true);
  });
});

type Request = Parameters<Exchanges['open']>[2];

/** Returns exchanges for clients with at most three calls each, and five together, and what they report. */
function started(resultLimitOf?: (tool: string) => number | null) {
  const limits = () => ({ ...ROOMY_LIMITS, maxCalls: 5, maxCallsPerKey: 3, maxResultBytes: 5_000 });
  const turns = new FairQueue();
  const charged: string[] = [];
  turns.chargeRefusal = (client) => void charged.push(client);
  const { events, unread } = eventStreams(limits);
  const exchanges = new Exchanges({
    timing: DEFAULT_TIMING,
    limits,
    quotaOf: (client) => ({ calls: client === 'quick' ? 4 : null, streams: null, sessions: null }),
    resultLimitOf,
    turns,
    events,
    unread,
    onStorageError: () => {},
  });
  const open = (request: Partial<Request>, headers: Record<string, string> = {}) => {
    const connection = new Connection();
    const told: string[] = [];
    const exchange = exchanges.open(requestWith(headers), connection.res, {
      caller: { name: 'alice' },
      requestIds: [1],
      batch: false,
      onAbandoned: () => void told.push('abandoned'),
      onEnd: () => void told.push('ended'),
      ...request,
    });
    const answer = (id = 1, text = 'done', asked: Asked = ASKED) =>
      exchange.answer({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }, 200, asked);
    return { connection, told, answer, exchange };
  };
  return { exchanges, open, charged };
}
