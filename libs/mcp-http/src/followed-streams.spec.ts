import { jest } from '@jest/globals';
import type { Caller } from './caller.js';
import { DEFAULT_TIMING } from './endpoint-options.js';
import { FollowedStreams } from './followed-streams.js';
import { ErrorCode } from './json-rpc.js';
import { memoryStorage } from './memory-storage.js';
import type { Relay, RelayedNews } from './relay.js';
import { Connection } from './received.testing.js';
import { around, eventStreams, until } from './testing.js';

const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };
const answerTo = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} });
const lost = (id: unknown, why = 'the process that served it has ended') => ({
  jsonrpc: '2.0',
  id,
  error: { code: ErrorCode.internalError, message: `The call has no answer: ${why}. ${ADVICE}` },
});
const NOT_KEPT = 'it has ended, and its answer was not kept';
const ADVICE = 'It may be partly done, and a run that it started goes on: look for it before you call again';

describe('a stream that is followed', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    open.splice(0).forEach((connection) => connection.breakOff());
  });

  it("has the events recorded after the client's last one, and ends with the call", async () => {
    const { record, follow, failures } = await recorded([1]);
    await record(progress, progress, answerTo(1));
    await record.finish();
    const { connection, over } = follow(1);
    await over;
    expect(connection.messages).toEqual([progress, answerTo(1)]);
    expect(connection.numbers).toEqual([2, 3]);
    expect([connection.lastId, connection.isOver, failures]).toEqual(['stream.3', true, []]);
  });

  it('continues with what another process records, until that is finished', async () => {
    const { record, follow, turns } = await recorded([1]);
    await record(progress);
    const { connection, over } = follow(0);
    await turns(3);
    expect([connection.messages, connection.isOver]).toEqual([[progress], false]);
    await record(answerTo(1));
    await turns(1);
    expect([connection.messages.length, connection.isOver]).toEqual([2, false]);
    await record.finish();
    await turns(1);
    await over;
    expect(connection.messages).toEqual([progress, answerTo(1)]);
  });

  it('notifies the process that serves the call that its client is there, once every two seconds', async () => {
    const { follow, turns, told, clock } = await recorded([1]);
    const { connection, over } = follow(0);
    await turns(3);
    expect(told).toEqual([{ kind: 'stream_followed', streamId: 'stream' }]);
    clock.nowMs += 1_999;
    await turns(3);
    expect(told).toHaveLength(1);
    clock.nowMs += 1;
    await turns(3);
    expect(told).toHaveLength(2);
    connection.breakOff();
    await turns(1);
    await over;
  });

  it('answers for a process that has gone those requests that it left without an answer', async () => {
    const { record, follow, turns, gone } = await recorded([1, 'two', 3]);
    await record(progress, answerTo('two'));
    const { connection, over } = follow(1);
    await turns(1);
    gone.add('server');
    await turns(1);
    await over;
    expect(connection.messages).toEqual([answerTo('two'), lost(1), lost(3)]);
    expect(connection.lastId).toBe('stream.2');
  });

  it('does not say that a process has gone when the call has ended', async () => {
    const { record, follow } = await recorded([1]);
    await record.finish();
    const { connection, over } = follow(0);
    await over;
    expect(connection.messages).toEqual([lost(1, NOT_KEPT)]);
  });

  it('does not mistake a question of the server for a response', async () => {
    const { record, follow, gone } = await recorded([1]);
    await record({ jsonrpc: '2.0', id: 1, method: 'elicitation/create' });
    gone.add('server');
    const { connection, over } = follow(1);
    await over;
    expect(connection.messages).toEqual([lost(1)]);
  });

  it('ends at once when this process should serve it but does not know it', async () => {
    const { follow, told } = await recorded([1], { servedBy: 'this' });
    const { connection, over } = follow(0);
    await over;
    expect([connection.messages, told]).toEqual([[lost(1, NOT_KEPT)], []]);
  });

  it('is over when nothing is known of it', async () => {
    const { follow, forget } = await recorded([1]);
    await forget();
    const { connection, over } = follow(0);
    await over;
    expect([connection.messages, connection.isOver]).toEqual([[], true]);
  });

  it('is kept alive while it is open, and no longer', async () => {
    const { follow, turns, beats, streams } = await recorded([1]);
    const { connection, over } = follow(0);
    beats.forEach((beat) => beat());
    expect(connection.body).toBe(': keep-alive\n\n');
    streams.end();
    await turns(1);
    await over;
    expect(beats.size).toBe(0);
  });

  it('ends with those of its client or its key, or with all', async () => {
    const { follow, turns, streams } = await recorded([1]);
    const callers = [
      { name: 'alice', origin: { key: 'k1' } },
      { name: 'alice', origin: { key: 'k2' } },
      { name: 'bob', origin: { key: 'k1' } },
    ];
    const followed = callers.map((caller) => follow(0, caller));
    const isOver = () => followed.map(({ connection }) => connection.isOver);
    streams.end({ client: 'alice', key: 'k1' });
    expect(isOver()).toEqual([true, false, false]);
    streams.end({ client: 'alice' });
    expect(isOver()).toEqual([true, true, false]);
    streams.end();
    expect(isOver()).toEqual([true, true, true]);
    await turns(1);
    await Promise.all(followed.map(({ over }) => over));
  });

  it('makes its client retry from the same event when the journal cannot be read', async () => {
    const { record, follow, turns, failures, state } = await recorded([1]);
    await record(progress);
    const { connection, over } = follow(0);
    await turns(1);
    state.isBroken = true;
    await turns(1);
    await over;
    expect(failures).toEqual([new Error('the disk is full')]);
    expect(connection.body.split('\n\n').slice(-3)).toEqual(['id: stream.1\ndata: ', 'retry: 1000', '']);
    expect(connection.isOver).toBe(true);
  });

  it('makes its client retry when the journal takes too long', async () => {
    const { follow, failures, state } = await recorded([1]);
    state.isHanging = true;
    const { connection, over } = follow(4);
    await over;
    expect(failures).toEqual([new Error('the stream was not read within 20 ms')]);
    expect(connection.body).toBe('id: stream.4\ndata: \n\nretry: 1000\n\n');
  });
});

/** The connections of the test, which are closed after it. */
const open: Connection[] = [];

/** Returns a stream that follows the record of one call, which the process `server` executes. */
async function recorded(requestIds: (string | number)[], { servedBy = 'server' } = {}) {
  const storage = memoryStorage();
  await storage.journal.open('stream', { sessionId: 'session', requestIds, process: servedBy });
  const told: RelayedNews[] = [];
  const failures: unknown[] = [];
  const gone = new Set<string>();
  const state = { isBroken: false, isHanging: false };
  const clock = { nowMs: 1_000 };
  jest.spyOn(performance, 'now').mockImplementation(() => clock.nowMs);
  let [looks, following] = [0, 0];
  const journal = around(storage.journal, async (method, work) => {
    if (method === 'find') looks += 1;
    if (state.isBroken) throw new Error('the disk is full');
    if (state.isHanging) await new Promise(() => undefined);
    return work();
  });
  const relay: Relay = {
    process: 'this',
    send: async (news) => void told.push(news),
    isAtWork: async (process) => !gone.has(process),
  };
  const { events, beats } = eventStreams();
  const streams = new FollowedStreams(
    { storage: { ...storage, journal, relay }, onStorageError: (error) => void failures.push(error) },
    { timing: { ...DEFAULT_TIMING, followEveryMs: 1, readWithinMs: 20 }, events },
  );
  let seq = 0;
  const add = async (...messages: object[]) => {
    for (const message of messages) await storage.journal.append('stream', ++seq, JSON.stringify(message));
  };
  const record = Object.assign(add, {
    finish: () => storage.journal.finish('stream', 0),
  });
  const follow = (after: number, caller: Caller = { name: 'alice' }) => {
    const connection = new Connection();
    open.push(connection);
    following += 1;
    const over = streams.serve(connection.res, caller, { streamId: 'stream', seq: after });
    return { connection, over: over.finally(() => (following -= 1)) };
  };
  /** Waits until the record has been read this many more times, or is not read any more. */
  const turns = async (more: number) => {
    const enough = looks + more + 1;
    await until(() => looks >= enough || following === 0);
  };
  const forget = async () => {
    storage.journal.find = async () => null;
    storage.journal.after = async () => [];
  };
  return { streams, record, follow, turns, told, failures, gone, state, clock, beats, forget };
}
