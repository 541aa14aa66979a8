import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { Random } from '../../../test/fuzz/random.js';
import { watchCpuTime } from './cpu-time.js';
import { startThread } from './thread.js';
import { ThreadPool, type Watch } from './thread-pool.js';

type Job = { act: 'answer' | 'throw' | 'exit' | 'spin' | 'wait'; value?: number } | { act: 'hold'; until: Int32Array };

const CODE = `
import { parentPort, threadId } from 'node:worker_threads';
parentPort.on('message', ({ act, value, until }) => {
  if (act === 'throw') throw new Error('it failed');
  if (act === 'exit') process.exit(3);
  while (act === 'spin');
  if (act === 'wait') return;
  if (act === 'hold') Atomics.wait(until, 0, 0);
  parentPort.postMessage({ value, threadId });
});`;
const FILE = new URL(`data:text/javascript,${encodeURIComponent(CODE)}`);

interface Answer {
  value: number;
  threadId: number;
}
type Options = Partial<ConstructorParameters<typeof ThreadPool<Job, Answer>>[0]>;

const answer = (value: number): Job => ({ act: 'answer', value });
/** A job that runs until it is released. */
function held(): { job: Job; release: () => void } {
  const until = new Int32Array(new SharedArrayBuffer(4));
  return {
    job: { act: 'hold', until },
    release: () => {
      Atomics.store(until, 0, 1);
      Atomics.notify(until, 0);
    },
  };
}

/** A watch, a function that ends the watched job once it has started, and whether it is still watching. */
function watched() {
  const begun = Promise.withResolvers<(reason: Error) => void>();
  let isWatching = false;
  const watch: Watch = (_thread, end) => {
    isWatching = true;
    begun.resolve(end);
    return () => void (isWatching = false);
  };
  return { watch, begun: begun.promise, watching: () => isWatching };
}

describe('ThreadPool', () => {
  const pools: ThreadPool<Job, Answer>[] = [];
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

  const poolOf = (options: Options = {}) => {
    const started: Worker[] = [];
    const start = () => {
      const thread = startThread({ name: 'test', file: FILE, heapMegabytes: 32 });
      started.push(thread);
      return thread;
    };
    const pool = new ThreadPool<Job, Answer>({ start, ...options });
    pools.push(pool);
    return { pool, started };
  };

  it('starts a thread for the first job, and does the others in it, in their order', async () => {
    const { pool, started } = poolOf();
    expect(started).toHaveLength(0);
    const order: number[] = [];
    const jobs = [1, 2, 3].map((value) => pool.run(answer(value)).then((got) => void order.push(got.value)));
    await Promise.all(jobs);
    expect([order, started.length]).toEqual([[1, 2, 3], 1]);
  });

  it('does as many jobs at a time as it may have threads', async () => {
    const { pool, started } = poolOf({ most: 2 });
    const [one, other] = [held(), held()];
    const [first, second, third] = [one.job, other.job, answer(3)].map((job) => pool.run(job));
    one.release();
    const { threadId } = (await first) ?? {};
    expect(await third).toEqual({ value: 3, threadId });
    other.release();
    expect((await second)?.threadId).not.toBe(threadId);
    expect(started).toHaveLength(2);
  });

  it('drops a job that waits when its signal fires, and no other', async () => {
    const { pool } = poolOf();
    const { job, release } = held();
    const running = pool.run(job);
    const leaving = new AbortController();
    const dropped = pool.run(answer(2), { signal: leaving.signal });
    const after = pool.run(answer(3));
    leaving.abort(new Error('the caller left'));
    await expect(dropped).rejects.toThrow('the caller left');
    release();
    await running;
    expect(await after).toMatchObject({ value: 3 });
    await expect(pool.run(answer(4), { signal: leaving.signal })).rejects.toThrow('the caller left');
    expect(await pool.run(answer(5))).toMatchObject({ value: 5 });
  });

  it('does not end a running job when its signal fires', async () => {
    const { pool } = poolOf();
    const { job, release } = held();
    const leaving = new AbortController();
    const running = pool.run(job, { signal: leaving.signal });
    await Promise.resolve();
    leaving.abort();
    release();
    expect(await running).toHaveProperty('threadId');
  });

  it('ends a job and its thread when its watch says so', async () => {
    const { pool, started } = poolOf();
    const { watch, begun, watching } = watched();
    const endless = pool.run(held().job, { watch });
    const next = pool.run(answer(2));
    (await begun)(new Error('it took too long'));
    await expect(endless).rejects.toThrow('it took too long');
    expect(await next).toMatchObject({ value: 2 });
    expect([started.length, watching()]).toEqual([2, false]);
    const [ended] = started;
    if (ended && ended.threadId !== -1) await once(ended, 'exit');
  });

  it.each(['spin', 'wait'] as const)('ends a job that has used up its time: %s', async (act) => {
    const { pool } = poolOf();
    const watch: Watch = (thread, end) =>
      watchCpuTime(thread, { limitMs: 50, usedMs: 0 }, () => end(new Error('it took too long')));
    await expect(pool.run({ act }, { watch })).rejects.toThrow('it took too long');
    expect(await pool.run(answer(2))).toMatchObject({ value: 2 });
  });

  it.each(['answer', 'throw', 'exit'] as const)('ends the watch of a job whose thread does this: %s', async (act) => {
    const { pool } = poolOf();
    const { watch, begun, watching } = watched();
    const job = pool.run({ act, value: 1 }, { watch }).catch(String);
    const end = await begun;
    expect(watching()).toBe(true);
    await job;
    expect(watching()).toBe(false);
    end(new Error('too late'));
    expect(await pool.run(answer(2))).toMatchObject({ value: 2 });
  });

  it.each(['throw', 'exit'] as const)(
    'says that the thread ended when a job makes it %s, and starts another',
    async (act) => {
      const { pool, started } = poolOf();
      const failed = pool.run({ act });
      const next = pool.run(answer(2));
      await expect(failed).rejects.toThrow();
      expect(await next).toMatchObject({ value: 2 });
      expect(started).toHaveLength(2);
    },
  );

  it('does not keep a thread after an answer that says so', async () => {
    const { pool, started } = poolOf({ keeps: ({ value }) => value !== 1 });
    const threads = [];
    for (const value of [1, 2, 3]) threads.push((await pool.run(answer(value))).threadId);
    expect(started).toHaveLength(2);
    expect(threads[1]).toBe(threads[2]);
  });

  it('ends threads that have nothing to do, and no others', async () => {
    const { pool, started } = poolOf({ most: 2 });
    const { job, release } = held();
    const running = pool.run(job);
    await pool.run(answer(1));
    const [, idle] = started;
    const gone = idle && once(idle, 'exit');
    pool.endIdle();
    await gone;
    release();
    expect(await running).toHaveProperty('threadId');
    expect(started.map(({ threadId }) => threadId > 0)).toEqual([true, false]);
  });

  it('aborts all jobs when it is closed, and accepts no more', async () => {
    const { pool, started } = poolOf();
    const running = pool.run(held().job);
    const waiting = pool.run(answer(2));
    const outcomes = Promise.allSettled([running, waiting]);
    await Promise.resolve();
    await pool.close(new Error('the service stops'));
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    for (const job of [running, waiting]) await expect(job).rejects.toThrow('the service stops');
    await expect(pool.run(answer(3))).rejects.toThrow('the service stops');
    expect(started.every(({ threadId }) => threadId === -1)).toBe(true);
  });

  it.each([1, 2, 3])('returns to each job its own result, whatever the others do (seed %d)', async (seed) => {
    const random = new Random(seed);
    const { pool, started } = poolOf({ most: 3, keeps: ({ value }) => value % 7 !== 0 });
    const jobs = Array.from({ length: 50 }, async (_, value) => {
      const kind = random.pick(['answer', 'answer', 'answer', 'throw', 'exit', 'leave', 'limit'] as const);
      const controller = new AbortController();
      if (kind === 'leave') setImmediate(() => controller.abort(new Error(kind)));
      const watch: Watch = (_thread, end) => {
        const timer = setImmediate(() => end(new Error('limit')));
        return () => clearImmediate(timer);
      };
      const job: Job =
        kind === 'throw' || kind === 'exit' ? { act: kind } : kind === 'limit' ? held().job : answer(value);
      const options = { leave: { signal: controller.signal }, limit: { watch } };
      const got = pool.run(job, kind === 'leave' || kind === 'limit' ? options[kind] : {});
      switch (kind) {
        case 'answer':
          return expect(await got).toMatchObject({ value });
        case 'leave':
          // It may have had its turn already.
          return got.then(
            (one) => expect(one).toMatchObject({ value }),
            (error: Error) => expect(error.message).toBe('leave'),
          );
        case 'limit':
          return expect(got).rejects.toThrow('limit');
        default:
          return expect(got).rejects.toThrow();
      }
    });
    await Promise.all(jobs);
    expect(await pool.run(answer(8))).toMatchObject({ value: 8 });
    pool.endIdle();
    for (const thread of started) if (thread.threadId !== -1) await once(thread, 'exit');
  });
});
