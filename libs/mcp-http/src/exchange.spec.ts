import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { jest } from '@jest/globals';
import { type Caller } from './caller.js';
import { DEFAULT_TIMING, type EndpointOptions } from './endpoint-options.js';
import { EventStreams, KeepAlive } from './event-stream.js';
import { Exchange } from './exchange.js';
import { type ExchangeState, follow, NEXT } from './exchange.transitions.js';
import { memoryStorage } from './memory-storage.js';
import { refused } from './refusals.js';
import { ResumableStream } from './resumable-stream.js';
import { ROOMY_LIMITS } from './testing.js';
import { UnreadBytes } from './unread-bytes.js';

const STATES = Object.keys(NEXT) as ExchangeState[];
const REASON = refused(503, 'The service is stopping');
const RUNS = 2_000;

describe('the states of an exchange', () => {
  it('refuse every step that the table does not name', () => {
    for (const from of STATES) {
      const allowed: readonly ExchangeState[] = NEXT[from];
      for (const to of STATES) {
        if (allowed.includes(to)) expect(follow(from, to)).toBe(to);
        else expect(() => follow(from, to)).toThrow(`an exchange that is ${from} cannot become ${to}`);
      }
    }
  });

  it('lead from each one to the end, and from the end nowhere', () => {
    expect(NEXT.ended).toEqual([]);
    for (const state of STATES) if (state !== 'ended') expect(NEXT[state]).toContain('ended');
  });
});

describe('Exchange', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('keeps its promises whatever happens to it, in whatever order', async () => {
    for (let seed = 1; seed <= RUNS; seed += 1) await new Run(seed).play();
  });

  it('goes on for a client that comes back before its old connection is seen to break', async () => {
    const run = new Run(1, { resumable: true, expected: 1, accepts: { json: true, sse: true } });
    run.exchange.send({ jsonrpc: '2.0', method: 'notifications/a' });
    await settled();
    const old = run.response;
    run.resume();
    await begun();
    breakOff(old);
    await settled();
    jest.advanceTimersByTime(DEFAULT_TIMING.resumeWithinMs * 2);
    expect(run.ends).toEqual([]);
    run.answer();
    await settled();
    expect(run.ends).toEqual(['answered']);
    expect(run.response.writableEnded).toBe(true);
  });

  it('leaves no stream open to a client that comes back while the call is abandoned', async () => {
    const run = new Run(1, { resumable: true, expected: 1, accepts: { json: true, sse: true } });
    run.exchange.send({ jsonrpc: '2.0', method: 'notifications/a' });
    await settled();
    run.resume();
    await begun();
    run.abandon();
    await settled();
    expect([run.ends, run.failures]).toEqual([['abandoned'], []]);
    expect(run.response.writableEnded).toBe(true);
  });

  it('gives a client that goes away while it comes back the time to come back again', async () => {
    const run = new Run(1, { resumable: true, expected: 1, accepts: { json: true, sse: true } });
    run.exchange.send({ jsonrpc: '2.0', method: 'notifications/a' });
    await settled();
    breakOff(run.response);
    run.resume();
    breakOff(run.response);
    await settled();
    jest.advanceTimersByTime(DEFAULT_TIMING.resumeWithinMs - 1);
    expect(run.ends).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(run.ends).toEqual(['abandoned']);
  });

  it('sends a slow batch what is answered when the rest of it is cancelled', async () => {
    const run = new Run(1, { resumable: false, expected: 2, batch: true, accepts: { json: true, sse: false } });
    const written: unknown[] = [];
    run.response.end = (chunk?: unknown) => (written.push(chunk), run.response);
    run.answer();
    jest.advanceTimersByTime(DEFAULT_TIMING.slowAfterMs);
    run.forgo();
    expect(written).toEqual([`[${JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} })}]`]);
  });
});

interface Shape {
  resumable: boolean;
  expected: number;
  accepts: { json: boolean; sse: boolean };
  batch?: boolean;
}

/** One exchange, a model of what is asked of it, and a journal that takes its time. */
class Run {
  readonly ends: string[] = [];
  readonly failures: unknown[] = [];
  /** Promises that were not kept. */
  private readonly broken: string[] = [];
  readonly exchange: Exchange;
  response = newResponse();
  private readonly responses = [this.response];
  private readonly random: () => number;
  private readonly keepAlive = new CountedKeepAlive(DEFAULT_TIMING.keepAliveMs);
  private readonly events: WatchedStreams;
  private readonly storage = memoryStorage();
  private readonly unread: UnreadBytes;
  private readonly shape: Shape;
  private answers = 0;
  private forgone = 0;
  private isAbandoned = false;
  private isReleased = false;
  private canResume = false;
  private journalFails = false;

  constructor(seed: number, shape?: Shape) {
    this.random = mulberry(seed);
    this.shape = shape ?? this.randomShape();
    const limits: EndpointOptions<Caller>['limits'] = () => ROOMY_LIMITS;
    this.unread = new UnreadBytes(limits, DEFAULT_TIMING.slowestBytesPerMs);
    this.events = new WatchedStreams(this.keepAlive, this.unread);
    this.exchange = new Exchange(this.response, {
      ...this.shape,
      batch: this.shape.batch ?? false,
      headers: {},
      resumable: this.shape.resumable
        ? new ResumableStream(this.recording(), { sessionId: 'session', requestIds: [1], process: 'p' })
        : null,
      timing: DEFAULT_TIMING,
      events: this.events,
      unread: this.unread,
      maxResultBytes: () => 10_000,
      onStorageError: (error) => void this.failures.push(error),
      onResumable: () => (this.canResume = true),
      onEnd: (outcome) => this.checkEnd(outcome),
    });
  }

  async play(): Promise<void> {
    const steps: (() => unknown)[] = [
      () => this.exchange.send({ jsonrpc: '2.0', method: `notifications/${this.responses.length}` }),
      () => this.answer(),
      () => this.forgo(),
      () => this.release(),
      () => breakOff(this.response),
      () => this.responses.filter(({ writableEnded }) => writableEnded).forEach(breakOff),
      () => this.canResume && this.resume(),
      () => this.canResume && this.resume(),
      () => this.random() < 0.2 && this.abandon(),
      () => this.random() < 0.2 && (this.journalFails = true),
      () => jest.advanceTimersByTime(this.random() * DEFAULT_TIMING.resumeWithinMs * 1.5),
      settled,
      settled,
    ];
    for (let count = 0; count < 12; count += 1) await steps[Math.floor(this.random() * steps.length)]?.();
    await settled();
    breakOff(this.response);
    await settled();
    jest.advanceTimersByTime(DEFAULT_TIMING.resumeWithinMs);
    // A call that let go of its connection goes on until its own time limit.
    if (!this.isReleased) expect(this.ends).toHaveLength(1);
    this.abandon();
    await settled();
    this.checkRemains();
  }

  resume(): void {
    this.response = newResponse();
    this.responses.push(this.response);
    this.exchange.resume(this.response, 0);
  }

  answer(): void {
    if (this.answers + this.forgone >= this.shape.expected) return;
    this.answers += 1;
    this.exchange.answer({ jsonrpc: '2.0', id: this.answers, result: {} }, 200, { method: 'tools/call', tool: null });
  }

  forgo(): void {
    if (this.answers + this.forgone >= this.shape.expected) return;
    this.forgone += 1;
    this.exchange.forgo();
  }

  private release(): void {
    this.isReleased = true;
    this.exchange.release();
  }

  abandon(): void {
    this.isAbandoned = true;
    this.exchange.abandon(REASON);
  }

  private checkEnd(outcome: string): void {
    this.ends.push(outcome);
    const isWhole = this.answers + this.forgone >= this.shape.expected;
    if (outcome === 'answered' && !isWhole) this.broken.push('it was answered before all answers came');
    // Without a journal nobody can resume, so the first connection that breaks is the last one.
    const isExpected = isWhole || this.isAbandoned || this.journalFails || this.response.destroyed;
    if (!isExpected) this.broken.push('it was abandoned while its client was connected');
  }

  private checkRemains(): void {
    expect(this.broken).toEqual([]);
    expect(this.ends).toHaveLength(1);
    const others = this.failures.filter((error) => !/the disk is full|not recorded/.test(String(error)));
    expect(others).toEqual([]);
    expect(this.keepAlive.beating).toBe(0);
    for (const res of this.responses) {
      expect(res.writableEnded || res.destroyed).toBe(true);
      const numbers = this.events.idsOn(res).map((id) => Number(id.split('.')[1]));
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    }
    this.unread.stop();
    this.keepAlive.stop();
  }

  private recording() {
    const { journal } = this.storage;
    const slowly = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.journalFails) throw new Error('the disk is full');
      return work();
    };
    return {
      journal: {
        ...journal,
        open: (...args: Parameters<typeof journal.open>) => slowly(() => journal.open(...args)),
        append: (...args: Parameters<typeof journal.append>) => slowly(() => journal.append(...args)),
        finish: (...args: Parameters<typeof journal.finish>) => slowly(() => journal.finish(...args)),
        after: (...args: Parameters<typeof journal.after>) => slowly(() => journal.after(...args)),
      },
      withinMs: DEFAULT_TIMING.journalWithinMs,
      onError: (error: unknown) => {
        this.journalFails = true;
        this.failures.push(error);
      },
    };
  }

  private randomShape(): Shape {
    const accepts = [
      { json: true, sse: true },
      { json: true, sse: false },
      { json: false, sse: true },
    ][Math.floor(this.random() * 3)] ?? { json: true, sse: true };
    return { resumable: this.random() < 0.7, expected: 1 + Math.floor(this.random() * 2), accepts };
  }
}

class CountedKeepAlive extends KeepAlive {
  beating = 0;

  override add(beat: () => void): () => void {
    this.beating += 1;
    const stop = super.add(beat);
    return () => {
      this.beating -= 1;
      stop();
    };
  }
}

class WatchedStreams extends EventStreams {
  private readonly written: { res: ServerResponse; id: string }[] = [];

  override event(res: ServerResponse, data: string, id?: string): boolean {
    if (id !== undefined) this.written.push({ res, id });
    return super.event(res, data, id);
  }

  idsOn(wanted: ServerResponse): string[] {
    return this.written.filter(({ res }) => res === wanted).map(({ id }) => id);
  }
}

const newResponse = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

/** What Node does with the response when its connection is gone. */
function breakOff(res: ServerResponse): void {
  if (res.destroyed) return;
  res.destroy();
  res.emit('close');
}

/** Resolves when the journal is being read. */
async function begun(): Promise<void> {
  for (let count = 0; count < 3; count += 1) await Promise.resolve();
}

/** Resolves when whatever the journal does is done. */
async function settled(): Promise<void> {
  for (let count = 0; count < 12; count += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Random numbers from 0 to 1, the same for the same seed. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
