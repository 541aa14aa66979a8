import { jest } from '@jest/globals';
import { DEFAULT_TIMING } from './endpoint-options.js';
import { Exchange, type ExchangeOptions } from './exchange.js';
import { errorMessage } from './json-rpc.js';
import { memoryStorage } from './memory-storage.js';
import { CALL_CANCELLED, CALL_FAILED, refused, TOO_MUCH_UNREAD } from './refusals.js';
import { ResumableStream } from './resumable-stream.js';
import { Connection } from './received.testing.js';
import { eventStreams } from './testing.js';

const JSON_ONLY = { json: true, sse: false };
const STREAM_ONLY = { json: false, sse: true };
const REASON = refused(503, 'The service is stopping');
const NEWS = { jsonrpc: '2.0', method: 'notifications/a' } as const;
const answerTo = (id: number | string) => ({ jsonrpc: '2.0' as const, id, result: {} });
const ASKED = { method: 'tools/call', tool: null };
const SESSION = { 'Mcp-Session-Id': 'session' };

describe('the response of an exchange', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  });
  afterEach(() => void jest.useRealTimers());

  it('is JSON with the status of the answer when that is all there is', () => {
    const { exchange, connection, told } = begun();
    exchange.answer(answerTo(1), 404, ASKED);
    expect(connection.res.statusCode).toBe(404);
    const form = { 'Content-Type': 'application/json', 'Content-Length': connection.body.length };
    expect(connection.headers).toMatchObject({ ...form, ...SESSION });
    expect(connection.messages).toEqual([answerTo(1)]);
    expect(told).toEqual(['ended']);
  });

  it('is a stream for a client that reads no JSON, unless its status says that something is wrong', () => {
    const stream = begun({ accepts: STREAM_ONLY });
    stream.exchange.answer(answerTo(1), 200, ASKED);
    expect(stream.connection.headers).toMatchObject({ 'Content-Type': 'text/event-stream', ...SESSION });
    expect([stream.connection.messages, stream.connection.isOver]).toEqual([[answerTo(1)], true]);
    const refusal = begun({ accepts: STREAM_ONLY });
    refusal.exchange.answer(answerTo(1), 404, ASKED);
    expect(refusal.connection.headers).toMatchObject({ 'Content-Type': 'application/json' });
  });

  it('is a stream as soon as something comes before the response, and then ignores the status of the response', () => {
    const { exchange, connection } = begun();
    expect(exchange.send(NEWS)).toBe(true);
    exchange.answer(answerTo(1), 404, ASKED);
    expect(connection.res.statusCode).toBe(200);
    expect(connection.messages).toEqual([NEWS, answerTo(1)]);
    expect(exchange.send(NEWS)).toBe(false);
  });

  it('takes nothing but answers from who reads only JSON', () => {
    const { exchange, connection } = begun({ accepts: JSON_ONLY });
    expect(exchange.send(NEWS)).toBe(false);
    exchange.answer(answerTo(1), 200, ASKED);
    expect(connection.messages).toEqual([answerTo(1)]);
  });

  it('has one response to each request, and none to unknown requests', () => {
    const { exchange, connection } = begun({ requestIds: [1, '1'], batch: true });
    for (const id of [9, 1, 1]) exchange.answer(answerTo(id), 200, ASKED);
    exchange.cancel(9);
    expect(connection.isOver).toBe(false);
    exchange.answer(answerTo('1'), 200, ASKED);
    expect(connection.messages).toEqual([answerTo(1), answerTo('1')]);
  });

  it('has the answers of a batch that came before it became a stream', () => {
    const { exchange, connection } = begun({ requestIds: [1, 2], batch: true });
    exchange.answer(answerTo(1), 200, ASKED);
    exchange.send(NEWS);
    exchange.answer(answerTo(2), 200, ASKED);
    expect(connection.messages).toEqual([answerTo(1), NEWS, answerTo(2)]);
  });

  it('begins as a stream when the response takes long', () => {
    const { exchange, connection, beats } = begun();
    jest.advanceTimersByTime(DEFAULT_TIMING.slowAfterMs - 1);
    expect(connection.headers).toEqual({});
    jest.advanceTimersByTime(1);
    expect(connection.body).toBe(': keep-alive\n\n');
    beats.forEach((beat) => beat());
    expect(connection.body).toBe(': keep-alive\n\n: keep-alive\n\n');
    exchange.answer(answerTo(1), 200, ASKED);
    expect([connection.messages, connection.isOver, beats.size]).toEqual([[answerTo(1)], true, 0]);
  });

  it('begins as padded JSON when the response takes long and the client accepts only that', () => {
    const { exchange, connection, beats } = begun({ accepts: JSON_ONLY });
    jest.advanceTimersByTime(DEFAULT_TIMING.slowAfterMs);
    expect(connection.headers).toEqual({ 'Content-Type': 'application/json', ...SESSION });
    beats.forEach((beat) => beat());
    expect(connection.body).toBe('  ');
    exchange.answer(answerTo(1), 404, ASKED);
    expect([connection.res.statusCode, connection.messages]).toEqual([200, [answerTo(1)]]);
    expect([connection.isOver, beats.size]).toEqual([true, 0]);
  });

  it('waits for nothing once it is over or a stream', () => {
    const timers = jest.getTimerCount();
    const [stream, over] = [begun(), begun()];
    const own = jest.getTimerCount() - timers;
    stream.exchange.send(NEWS);
    expect(jest.getTimerCount() - timers).toBe(own - 1);
    over.exchange.answer(answerTo(1), 200, ASKED);
    expect(jest.getTimerCount() - timers).toBe(own - 2);
  });

  it('is empty when its request is cancelled', () => {
    const { exchange, connection, told } = begun();
    exchange.cancel(1);
    expect([connection.res.statusCode, connection.body, told]).toEqual([202, '', ['ended']]);
    expect(connection.headers).toMatchObject(SESSION);
  });

  it('reports that its request was cancelled when it has begun as JSON', () => {
    const { exchange, connection } = begun({ accepts: JSON_ONLY });
    jest.advanceTimersByTime(DEFAULT_TIMING.slowAfterMs);
    exchange.cancel(1);
    expect(connection.messages).toEqual([errorMessage(1, CALL_CANCELLED)]);
  });

  it('ends without an answer when its request is cancelled that has become a stream', () => {
    const { exchange, connection } = begun();
    exchange.send(NEWS);
    exchange.cancel(1);
    expect([connection.messages, connection.isOver]).toEqual([[NEWS], true]);
  });

  it('has the status of the reason for which it is abandoned, while nothing is sent', () => {
    const { exchange, connection, told } = begun();
    exchange.abandon(REASON);
    exchange.abandon(REASON);
    expect([connection.res.statusCode, connection.messages]).toEqual([503, [errorMessage(1, REASON)]]);
    expect(told.sort()).toEqual(['abandoned', 'ended']);
  });

  it('is abandoned with its connection when the client cannot resume it', () => {
    const { exchange, connection, told, beats } = begun();
    exchange.send(NEWS);
    connection.breakOff();
    expect([told, beats.size]).toEqual([['abandoned', 'ended'], 0]);
    exchange.answer(answerTo(1), 200, ASKED);
    expect(exchange.send(NEWS)).toBe(false);
    expect(told).toHaveLength(2);
  });

  it.each([true, false])('is refused when too much waits for clients already (in a batch: %j)', (batch) => {
    const { exchange, connection, unread } = begun({ batch });
    unread.hasRoomFor = () => false;
    exchange.answer(answerTo(1), 200, ASKED);
    const refusal = JSON.stringify(errorMessage(1, TOO_MUCH_UNREAD));
    expect([connection.res.statusCode, connection.body]).toEqual([503, batch ? `[${refusal}]` : refusal]);
    expect(connection.headers).toMatchObject({ 'Retry-After': '1', ...SESSION });
  });
});

describe('the response of an exchange that can be resumed', () => {
  it('releases its connection when the handler asks for it, with the retry time for the client', async () => {
    const { exchange, connection, told, resumable } = begun({}, 'resumable');
    exchange.release();
    await settled();
    expect(connection.body).toBe(`id: ${resumable?.idOf(0)}\ndata: \n\nretry: 1000\n\n`);
    expect([connection.isOver, told]).toEqual([true, ['resumable']]);
    const next = new Connection();
    exchange.resume(next.res, 0);
    exchange.answer(answerTo(1), 200, ASKED);
    await settled();
    expect([next.messages, told]).toEqual([[answerTo(1)], ['resumable', 'ended']]);
  });

  it('keeps its connection when its client could not resume it', async () => {
    const [json, plain] = [begun({ accepts: JSON_ONLY }, 'resumable'), begun()];
    for (const { exchange } of [json, plain]) exchange.release();
    await settled();
    expect([json.connection.headers, plain.connection.headers]).toEqual([{}, {}]);
    for (const { exchange } of [json, plain]) exchange.answer(answerTo(1), 200, ASKED);
  });

  it('moves to the connection on which the client resumes it, and ends the previous one', async () => {
    const { exchange, connection, resumable } = begun({}, 'resumable');
    exchange.send(NEWS);
    exchange.send(NEWS);
    await settled();
    const next = new Connection();
    exchange.resume(next.res, 1);
    await settled();
    expect([connection.isOver, next.isOver]).toEqual([true, false]);
    exchange.answer(answerTo(1), 200, ASKED);
    await settled();
    expect([next.messages, next.lastId]).toEqual([[NEWS, answerTo(1)], resumable?.idOf(3)]);
    expect(connection.messages).toEqual([NEWS, NEWS]);
  });

  it('says so when it cannot be sent', async () => {
    const broken = new Error('broken');
    const { exchange, connection, failures, told } = begun(
      {
        onResumable: () => {
          throw broken;
        },
      },
      'resumable',
    );
    exchange.send(NEWS);
    await settled();
    expect(failures).toEqual([broken]);
    expect(connection.messages).toEqual([NEWS, errorMessage(1, CALL_FAILED)]);
    expect([connection.isOver, told.sort()]).toEqual([true, ['abandoned', 'ended']]);
  });

  it('breaks when its last part cannot be sent', async () => {
    const broken = new Error('broken');
    const onResumable = () => {
      throw broken;
    };
    const { exchange, connection, failures, told } = begun({ accepts: STREAM_ONLY, onResumable }, 'resumable');
    exchange.answer(answerTo(1), 200, ASKED);
    await settled();
    expect([failures, told]).toEqual([[broken], ['ended']]);
    expect(connection.res.destroyed).toBe(true);
  });
});

const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Returns an exchange of request 1, for a client that accepts both forms, and what it reports. */
function begun(options: Partial<ExchangeOptions> = {}, kind: 'resumable' | 'plain' = 'plain') {
  const [told, failures]: [string[], unknown[]] = [[], []];
  const { events, unread, beats } = eventStreams();
  const connection = new Connection();
  const onStorageError = (error: unknown) => void failures.push(error);
  const recording = { journal: memoryStorage().journal, withinMs: 500, readWithinMs: 500, onError: onStorageError };
  const origin = { sessionId: 'session', requestIds: [1], process: 'p' };
  const resumable = kind === 'resumable' ? new ResumableStream(recording, origin) : null;
  const exchange = new Exchange(connection.res, {
    accepts: { json: true, sse: true },
    requestIds: [1],
    batch: false,
    headers: SESSION,
    resumable,
    timing: DEFAULT_TIMING,
    events,
    unread,
    maxResultBytes: () => 10_000,
    onStorageError,
    onResumable: () => void told.push('resumable'),
    onAbandoned: () => void told.push('abandoned'),
    onEnd: () => void told.push('ended'),
    ...options,
  });
  return { exchange, connection, told, failures, beats, unread, resumable };
}
