import { jest } from '@jest/globals';
import { Random } from '../../../test/fuzz/random.js';
import { DEFAULT_TIMING } from './endpoint-options.js';
import { Exchange } from './exchange.js';
import { errorMessage } from './json-rpc.js';
import { memoryStorage } from './memory-storage.js';
import { refused } from './refusals.js';
import { parseEventId, ResumableStream } from './resumable-stream.js';
import { Connection, type Received } from './received.testing.js';
import { around, eventStreams } from './testing.js';

const REASON = refused(503, 'The service is stopping');
const RUNS = 2_000;

describe('Exchange', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  });
  afterEach(() => void jest.useRealTimers());

  it('keeps its promises whatever happens to it, in whatever order', async () => {
    for (let seed = 1; seed <= RUNS; seed += 1) await new Run(seed).play();
  });

  it('continues for a client that resumes before its old connection is seen to break', async () => {
    const run = await streaming();
    const old = run.connection;
    await run.comeBack();
    await begun();
    old.breakOff();
    await settled();
    await pass(DEFAULT_TIMING.resumeWithinMs * 2);
    expect(run.ends).toBe(0);
    run.answer();
    await settled();
    expect([run.ends, run.abandonments]).toEqual([1, 0]);
    expect(run.connection.isOver).toBe(true);
  });

  it('leaves no stream open to a client that resumes while the call is abandoned', async () => {
    const run = await streaming();
    await run.comeBack();
    await begun();
    run.abandon({ isResumable: true });
    await settled();
    expect([run.ends, run.abandonments, run.failures]).toEqual([1, 1, []]);
    expect(run.connection.isOver).toBe(true);
  });

  it('gives a client that disconnects while it resumes the time to resume again', async () => {
    const run = await streaming();
    run.breakOff();
    await run.comeBack();
    run.breakOff();
    await settled();
    await pass(DEFAULT_TIMING.resumeWithinMs - 1);
    expect(run.abandonments).toBe(0);
    await pass(1);
    expect(run.abandonments).toBe(1);
  });

  it('stops the work at once when it is abandoned, though the journal takes its time', async () => {
    const run = await streaming();
    run.abandon({ isResumable: true });
    expect([run.abandonments, run.ends]).toEqual([1, 0]);
    await settled();
    expect(run.ends).toBe(1);
  });

  it('sends the finished responses of a slow batch when the rest of it is cancelled', () => {
    const run = new Run(1, { resumable: false, requests: 2, batch: true, accepts: JSON_ONLY });
    run.answer();
    jest.advanceTimersByTime(DEFAULT_TIMING.slowAfterMs);
    run.cancel();
    expect(run.connection.messages).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it('sends each request of a batch the reason for its abandonment, beside the finished responses', () => {
    const run = new Run(1, { resumable: false, requests: 3, batch: true, accepts: JSON_ONLY });
    run.answer();
    run.abandon({ isResumable: false });
    const error = { code: REASON.code, message: REASON.message };
    expect(run.connection.res.statusCode).toBe(200);
    expect(run.connection.messages).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, error },
      { jsonrpc: '2.0', id: 3, error },
    ]);
  });
});

const JSON_ONLY = { json: true, sse: false };

/** Returns an exchange whose stream has started and is resumable. */
async function streaming(): Promise<Run> {
  const run = new Run(1, { resumable: true, requests: 1, batch: false, accepts: { json: true, sse: true } });
  run.exchange.send({ jsonrpc: '2.0', method: 'notifications/a' });
  await settled();
  return run;
}

interface Shape {
  resumable: boolean;
  requests: number;
  accepts: { json: boolean; sse: boolean };
  batch: boolean;
}

/**
 * One exchange with a slow journal, and its client. The model records the requests: whatever happens, the client gets exactly
 * one response to each, unless it cancelled the request, or could not reconnect for it.
 */
class Run {
  ends = 0;
  abandonments = 0;
  readonly failures: unknown[] = [];
  readonly exchange: Exchange;
  connection = new Connection();
  private readonly connections = [this.connection];
  private readonly random: Random;
  private readonly streams = eventStreams();
  private readonly storage = memoryStorage();
  private readonly shape: Shape;
  /** The requests whose handlers are running. */
  private readonly working: number[];
  private readonly cancelled = new Set<number>();
  private isReleased = false;
  /** True when the client has been disconnected for good. */
  private isLost = false;
  private isEndedForGood = false;
  private writing: 'works' | 'fails' | 'hangs' = 'works';
  private reading: 'works' | 'fails' | 'hangs' = 'works';

  constructor(seed: number, shape?: Partial<Shape>) {
    this.random = new Random(seed);
    this.shape = { ...this.randomShape(), ...shape };
    this.working = Array.from({ length: this.shape.requests }, (_, index) => index + 1);
    const requestIds = [...this.working];
    this.exchange = new Exchange(this.connection.res, {
      accepts: this.shape.accepts,
      requestIds,
      batch: this.shape.batch,
      headers: {},
      resumable: this.shape.resumable
        ? new ResumableStream(this.recording(), { sessionId: 'session', requestIds, process: 'p' })
        : null,
      timing: DEFAULT_TIMING,
      events: this.streams.events,
      unread: this.streams.unread,
      maxResultBytes: () => 10_000,
      onStorageError: (error) => void this.failures.push(error),
      onAbandoned: () => {
        this.abandonments += 1;
        this.working.length = 0;
      },
      onEnd: () => void (this.ends += 1),
    });
  }

  async play(): Promise<void> {
    const steps: (() => unknown)[] = [
      () => this.exchange.send({ jsonrpc: '2.0', method: `notifications/${this.connections.length}` }),
      () => this.answer(),
      () => this.cancel(),
      () => this.release(),
      () => this.breakOff(),
      () => this.connections.filter(({ res }) => res.writableEnded).forEach((connection) => connection.breakOff()),
      () => this.comeBack(),
      () => this.comeBack(),
      () => this.random.next() < 0.2 && this.abandon({ isResumable: this.random.next() < 0.5 }),
      () => this.random.next() < 0.2 && (this.writing = this.random.next() < 0.5 ? 'fails' : 'hangs'),
      () => (this.reading = (['works', 'fails', 'hangs'] as const)[Math.floor(this.random.next() * 3)] ?? 'works'),
      () => pass(this.random.next() * DEFAULT_TIMING.resumeWithinMs * 1.5),
      settled,
      settled,
    ];
    for (let count = 0; count < 12; count += 1) await steps[Math.floor(this.random.next() * steps.length)]?.();
    await (this.random.next() < 0.5 ? this.leave() : this.stay());
    this.checkRemains();
  }

  /** The client disconnects, and the work is aborted when nobody waits for it any more. */
  private async leave(): Promise<void> {
    await settled();
    this.connections.forEach((connection) => connection.breakOff());
    await settled();
    for (let count = 0; count < 5; count += 1) await pass(DEFAULT_TIMING.resumeWithinMs);
    // A call that has released its connection continues until its own timeout.
    if (!this.isReleased) expect(this.ends).toBe(1);
    this.abandon({ isResumable: true });
    for (let count = 0; count < 5; count += 1) await pass(DEFAULT_TIMING.resumeWithinMs);
  }

  /** The client reconnects until it has its responses, from the exchange or from the journal. */
  private async stay(): Promise<void> {
    this.reading = 'works';
    while (this.working.length > 0) this[this.random.next() < 0.8 ? 'answer' : 'cancel']();
    this.abandon({ isResumable: true });
    for (let count = 0; count < 60 && !this.isLost && this.missing().length > 0; count += 1) {
      await settled();
      if (this.connection.isOver && this.missing().length > 0) await this.comeBack();
      await pass(DEFAULT_TIMING.journalWithinMs);
    }
    if (!this.isLost) expect([this.missing(), this.told()]).toEqual([[], 'each once']);
    for (let count = 0; count < 5; count += 1) await pass(DEFAULT_TIMING.resumeWithinMs);
  }

  /** Reconnects if the client lacks a response and has an event id to resume from. */
  async comeBack(): Promise<void> {
    if (this.missing().length === 0) return;
    const place = parseEventId(this.connections.map(({ lastId }) => lastId).findLast((id) => id !== null) ?? '');
    if (!place?.streamId || this.isLost) {
      if (this.connection.isBroken) this.isLost = true;
      return;
    }
    this.connection = new Connection();
    this.connections.push(this.connection);
    if (this.ends === 0) return this.exchange.resume(this.connection.res, place.seq);
    const stream = await this.storage.journal.find(place.streamId);
    const entries = await this.storage.journal.after(place.streamId, 0);
    if (!stream) return;
    // Like processes that serve a stream of a call that runs elsewhere.
    const isAnswered = entries.some(({ message }) => !message.includes('method'));
    for (const { message, seq } of entries.filter((entry) => entry.seq > place.seq))
      this.connection.res.write(`id: ${place.streamId}.${seq}\ndata: ${message}\n\n`);
    if (!isAnswered) this.connection.res.write(`data: ${JSON.stringify(errorMessage(1, REASON))}\n\n`);
    this.connection.res.end();
  }

  answer(): void {
    const id = this.working.shift();
    if (id === undefined) return;
    this.exchange.answer({ jsonrpc: '2.0', id, result: {} }, 200, { method: 'tools/call', tool: null });
  }

  cancel(): void {
    const id = this.working.pop();
    if (id === undefined) return;
    this.cancelled.add(id);
    this.exchange.cancel(id);
  }

  private release(): void {
    this.isReleased = true;
    this.exchange.release();
  }

  abandon(how: { isResumable: boolean }): void {
    if (!how.isResumable && this.connection.isOver) this.isLost = true;
    if (!how.isResumable) this.isEndedForGood = true;
    this.exchange.abandon(REASON, how);
  }

  breakOff(): void {
    this.connection.breakOff();
    if (this.connection.isBroken && this.isEndedForGood) this.isLost = true;
  }

  /** The requests without a response that are not cancelled. */
  private missing(): number[] {
    const answered = new Set(this.received().map(({ id }) => id));
    const all = Array.from({ length: this.shape.requests }, (_, index) => index + 1);
    return all.filter((id) => !answered.has(id) && !this.cancelled.has(id));
  }

  /** The responses that the client has. A response that is replayed on another connection counts once. */
  private received(): Received[] {
    const isAnswer = (message: Received) => 'result' in message || 'error' in message;
    const answers = this.connections.map(({ messages }) => messages.filter(isAnswer));
    const texts = answers.map((ofOne) => new Set(ofOne.map((answer) => JSON.stringify(answer))));
    return answers.flatMap((ofOne, index) =>
      ofOne.filter((answer) => !texts.slice(0, index).some((before) => before.has(JSON.stringify(answer)))),
    );
  }

  told(): string {
    const ids = this.received().map(({ id }) => id);
    return new Set(ids).size === ids.length ? 'each once' : `twice: ${JSON.stringify(ids)}`;
  }

  private checkRemains(): void {
    expect([this.ends, this.told(), this.streams.beats.size]).toEqual([1, 'each once', 0]);
    expect(this.abandonments).toBeLessThan(2);
    expect(this.failures.filter((error) => !/the disk is full|not recorded|not read/.test(String(error)))).toEqual([]);
    for (const { isOver, isBroken, isBlank, numbers } of this.connections) {
      expect([isOver, isBlank && !isBroken]).toEqual([true, false]);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    }
    this.streams.unread.stop();
  }

  private recording() {
    const slowly = async <Result>(how: () => string, work: () => Promise<Result>): Promise<Result> => {
      await new Promise((resolve) => setImmediate(resolve));
      if (how() === 'hangs') await new Promise(() => undefined);
      if (how() === 'fails') throw new Error('the disk is full');
      return work();
    };
    const journal = around(this.storage.journal, (method, work) =>
      slowly(() => (method === 'after' ? this.reading : this.writing), work),
    );
    return {
      journal,
      withinMs: DEFAULT_TIMING.journalWithinMs,
      readWithinMs: DEFAULT_TIMING.readWithinMs,
      onError: (error: unknown) => void this.failures.push(error),
    };
  }

  private randomShape(): Shape {
    const accepts = [
      { json: true, sse: true },
      { json: true, sse: false },
      { json: false, sse: true },
    ][Math.floor(this.random.next() * 3)] ?? { json: true, sse: true };
    // Protocol versions with resumable streams have no batches.
    const resumable = this.random.next() < 0.6;
    const requests = resumable ? 1 : 1 + Math.floor(this.random.next() * 3);
    return { resumable, requests, accepts, batch: requests > 1 };
  }
}

/** Advances the time, and waits for its effects. */
async function pass(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms);
  await settled();
}

/** Resolves when the journal is being read. */
async function begun(): Promise<void> {
  for (let count = 0; count < 3; count += 1) await Promise.resolve();
}

/** Resolves when the journal is idle. */
async function settled(): Promise<void> {
  for (let count = 0; count < 12; count += 1) await new Promise((resolve) => setImmediate(resolve));
}
