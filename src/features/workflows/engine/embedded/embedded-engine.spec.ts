import { setTimeout as pause } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { ANSWER_EVENT, type BlockRef, type BlockResult, type DurableSteps, type Json } from '#open-workflow';
import type { Database } from '../../../../platform/database/database.js';
import { ReplicaChannel } from '../../../../platform/database/replica-channel.service.js';
import { describeEachDatabase } from '../../../../platform/database/testing.js';
import { until } from '../../../../../test/support/until.js';
import { testEngine } from '../contract/testing.js';
import { FOREVER, startedAfter } from '../contract/world.testing.js';
import { at, blockAt, newRun, WrittenPrograms } from '../testing.js';
import { SoleOwnership } from './sole-ownership.js';
import { engineOn, interruptedStoresOn, LosableOwnership } from './testing.js';

const CHILD = { namespace: 'test', name: 'child', version: '1.0.0', input: {} };
/** More runs than the engine reads at once. */
const MANY = 600;
const AT_ONCE = 50;
const LOOPS = Number(process.env['LOOPS'] ?? 100);

const NOTHING: BlockResult = { output: null, context: null, next: 'continue' };

describeEachDatabase('the embedded engine', (open) => {
  testEngine(open, engineOn);
  describe('in one process', () => testEach(open));
});

function testEach(open: () => Promise<Database>): void {
  const started = startedAfter(engineOn);

  async function ended(program: (steps: DurableSteps) => Promise<Json>, database?: Database) {
    const { runs } = await started(database ?? (await open()), new WrittenPrograms({ large: program }));
    const { id } = await runs.start(newRun('large'));
    const run = await runs.follow(id, FOREVER);
    return run;
  }

  it('continues with everything that steps have returned, however large', async () => {
    const sizes = [...Array.from({ length: 600 }, (_, index) => index), 900_000, 900_000, 1_000_000, 0, 900_000];
    const begun: number[] = [];
    const { output } = await ended(async (steps) => {
      const texts = sizes.map(async (size, index) => {
        const outcome = await steps.effect(at(`step ${index}`), null, async () => {
          begun.push(index);
          return 'x'.repeat(size);
        });
        return outcome.ok && typeof outcome.value === 'string' ? outcome.value.length : null;
      });
      const lengths = await Promise.all(texts);
      await steps.sleep(at('nap'), () => 20);
      return lengths;
    });
    expect(output).toEqual(sizes);
    expect(begun).toHaveLength(sizes.length);
  });

  describe('a loop', () => {
    /** Runs a loop, and counts the calls of each store in each tenth of it. */
    async function looped(iterate: (steps: DurableSteps, iteration: number) => Promise<unknown>) {
      const tenths: Record<string, number>[] = [];
      let executions = 0;
      const programs = new WrittenPrograms({
        loop: async (steps) => {
          executions += 1;
          for (let iteration = 0; iteration < LOOPS; iteration += 1) {
            if (iteration % (LOOPS / 10) === 0) tenths[iteration / (LOOPS / 10)] = {};
            await iterate(steps, iteration);
          }
          return null;
        },
        child: async (steps) => {
          await steps.effect(at('work'), null, async () => null);
          return null;
        },
      });
      const database = await open();
      const stores = interruptedStoresOn(database, async (method, _values, isDone) => {
        const tenth = tenths.at(-1);
        if (tenth && !isDone) tenth[method] = (tenth[method] ?? 0) + 1;
      });
      const { runs } = await started(database, programs, undefined, stores);
      const { id } = await runs.start(newRun('loop'));
      const { status } = await runs.follow(id, FOREVER);
      return { status, executions, first: tenths[0], last: tenths[9] };
    }

    it.each<[string, (steps: DurableSteps, iteration: number) => Promise<unknown>]>([
      ['waits', (steps, iteration) => steps.sleep(at(`nap ${iteration}`), () => 1)],
      ['calls', (steps, iteration) => steps.effect(at(`call ${iteration}`), null, async () => null)],
      ['other workflows', (steps, iteration) => steps.child(at(`child ${iteration}`), CHILD, { await: true })],
    ])('of %s is executed once, and costs the same at its end as at its beginning', async (_what, iterate) => {
      const { status, executions, first, last } = await looped(iterate);
      expect([status, executions]).toEqual(['completed', 1]);
      expect(Object.keys(first ?? {})).not.toEqual([]);
      for (const [method, count] of Object.entries(last ?? {})) {
        if (method === 'end' || method === 'log') continue;
        expect([method, count <= 1.5 * (first?.[method] ?? 0)]).toEqual([method, true]);
      }
    });
  });

  describe('a run that waits for a moment', () => {
    const napping = (napMs: number) => {
      const ended: string[] = [];
      const executions: string[] = [];
      const programs = new WrittenPrograms({
        napper: async (steps) => {
          executions.push('napper');
          await steps.sleep(at('nap'), () => napMs);
          ended.push('napper');
          return null;
        },
        quick: async (steps) => {
          await steps.effect(at('work'), null, async () => null);
          ended.push('quick');
          return null;
        },
      });
      return { programs, ended, executions };
    };
    type Runs = Awaited<ReturnType<typeof engineOn>>['runs'];
    const isNapping = async (runs: Runs, id: string) =>
      (await runs.steps(id)).some(({ status }) => status === 'waiting');
    /** Waits until the run is napping; a busy machine may be slower than a nap. */
    const naps = (runs: Runs, id: string) =>
      until(async () => (await isNapping(runs, id)) || (await runs.get(id)).endedAt !== null);

    it('takes no room from others', async () => {
      const { programs, ended } = napping(2_000);
      const { runs, settings } = await started(await open(), programs);
      await settings.set('workflows.concurrency', 1);
      // A busy machine may need several tries to be faster than a nap; without a free place, no try would succeed.
      for (let tries = 0; tries < 10 && ended.at(-1) !== 'napper'; tries += 1) {
        ended.length = 0;
        const napper = await runs.start(newRun('napper'));
        await naps(runs, napper.id);
        const quick = await Promise.all([1, 2, 3].map(() => runs.start(newRun('quick'))));
        for (const { id } of [...quick, napper]) await runs.follow(id, FOREVER);
      }
      expect(ended).toEqual(['quick', 'quick', 'quick', 'napper']);
    });

    it('is suspended when the service stops, and continues with the next one', async () => {
      const { programs, ended, executions } = napping(4_000);
      const database = await open();
      const { engine, runs } = await started(database, programs);
      const { id } = await runs.start(newRun('napper'));
      await until(() => isNapping(runs, id));
      await engine.beforeApplicationShutdown();
      expect((await runs.get(id)).status).toBe('waiting');
      const next = await started(database, programs);
      expect(await next.runs.follow(id, FOREVER)).toMatchObject({ status: 'completed' });
      expect([ended, executions]).toEqual([['napper'], ['napper', 'napper']]);
    });

    it('is suspended when its partition moves to another process', async () => {
      const { programs, executions } = napping(100);
      const ownership = Object.assign(new SoleOwnership(), { isLeaving: () => true });
      const { runs } = await started(await open(), programs, ownership);
      // On a busy machine a nap may end before the run could be suspended.
      for (let tries = 0; tries < 10 && executions.length !== 2; tries += 1) {
        executions.length = 0;
        const { id } = await runs.start(newRun('napper'));
        expect(await runs.follow(id, FOREVER)).toMatchObject({ status: 'completed' });
      }
      expect(executions).toHaveLength(2);
    });

    it('is cancelled like any other', async () => {
      const { programs, ended } = napping(1_000);
      const { engine, runs } = await started(await open(), programs);
      let id: string;
      do {
        ended.length = 0;
        ({ id } = await runs.start(newRun('napper')));
        await naps(runs, id);
        await engine.cancel(id);
      } while ((await runs.get(id)).status === 'completed');
      await pause(1_200);
      expect([(await runs.get(id)).status, ended]).toEqual(['cancelled', []]);
    });
  });

  it.each([
    ['before its suspension is stored, and during a poll', false],
    ['when its suspension is stored, without a poll', true],
  ])('executes a run once when its answer arrives %s', async (_when, isStored) => {
    const question = { message: 'Go?', schema: { type: 'object' } };
    const wait = { with: { type: ANSWER_EVENT, subject: 'ask' }, question };
    const { programs, begun } = countedAfter((steps) => steps.waitEvent(at('ask'), wait));
    const database = await open();
    let isAnswered = false;
    const stores = interruptedStoresOn(database, async (method, _values, isDone) => {
      if (method === 'load' && !isStored) await engine.tick();
      if (method !== 'suspend' || isDone !== isStored || isAnswered) return;
      isAnswered = true;
      const { items } = await runs.listPage({ limit: 1 });
      await answers.give(items[0]?.id ?? '', 'ask', { action: 'accept', content: {}, by: 'eve' });
    });
    const { engine, runs, answers } = await started(database, programs, undefined, stores);
    const { id } = await runs.start(newRun('counted'));
    await until(async () => (await runs.get(id)).status === 'completed');
    expect(begun).toEqual(['counted']);
  });

  it('executes a run once when somebody finds it in the database at once', async () => {
    const { programs, begun } = countedAfter(async () => undefined);
    const database = await open();
    const stores = interruptedStoresOn(database, async (method) => method === 'insert' && engine.tick());
    const { engine, runs } = await started(database, programs, undefined, stores);
    const { id } = await runs.start(newRun('counted'));
    expect(await runs.follow(id, FOREVER)).toMatchObject({ status: 'completed' });
    expect(begun).toEqual(['counted']);
  });

  it('executes a run once when all runs are given up while it is loaded', async () => {
    const { programs, begun } = countedAfter((steps) => steps.sleep(at('nap'), () => 10));
    const database = await open();
    const ownership = new LosableOwnership();
    let isLost = false;
    const stores = interruptedStoresOn(database, async (method) => {
      if (method !== 'load' || isLost) return;
      isLost = true;
      ownership.lose();
      await engine.tick();
    });
    const { engine, runs } = await started(database, programs, ownership, stores);
    const { id } = await runs.start(newRun('counted'));
    expect(await runs.follow(id, FOREVER)).toMatchObject({ status: 'completed' });
    expect(begun).toEqual(['counted']);
  });

  it('waits for a run that it is claiming before it leaves the runs to others', async () => {
    const wait = { with: { type: 'rain' } };
    const listener = async (steps: DurableSteps) => (await steps.waitEvent(at('listen'), wait)).at;
    const programs = new WrittenPrograms({ listener }, { listener: ['rain'] });
    const database = await open();
    let claims = 0; // counted when each starts and ends
    const stores = interruptedStoresOn(database, async (method) => {
      if (method !== 'claim') return;
      claims += 1;
      await pause(50);
    });
    const { engine, runs } = await started(database, programs, undefined, stores);
    const { id } = await runs.start(newRun('listener'));
    await until(async () => (await runs.get(id)).status === 'waiting');
    await runs.publish({ specversion: '1.0', id: '1', source: 'sky', type: 'rain' });
    await until(() => claims === 1);
    await engine.beforeApplicationShutdown();
    expect(claims).toBe(2);
  });

  it('continues all runs that one event wakes, however many, before its next poll', async () => {
    const wait = { with: { type: 'rain' } };
    const listener = async (steps: DurableSteps) => (await steps.waitEvent(at('listen'), wait)).at;
    const database = await open();
    const { runs } = await started(database, new WrittenPrograms({ listener }, { listener: ['rain'] }));
    for (let started = 0; started < MANY; started += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => runs.start(newRun('listener'))));
    const areAll = async (status: 'waiting' | 'completed') => {
      const found = database.selectFrom('workflow_runs').select('id').where('status', '=', status);
      return (await found.execute()).length === MANY;
    };
    await until(() => areAll('waiting'));
    await runs.publish({ specversion: '1.0', id: '1', source: 'sky', type: 'rain' });
    await until(() => areAll('completed'));
  });

  it('gives a busy run the events of other replicas when it may have missed their notifications', async () => {
    const working = Promise.withResolvers<null>();
    const listened: string[] = [];
    const busy = async (steps: DurableSteps) => {
      const work = steps.effect(at('work'), null, () => working.promise);
      listened.push((await steps.waitEvent(at('listen'), { with: { type: 'rain' } })).event.id);
      await work;
      return null;
    };
    const database = await open();
    const on = jest.spyOn(ReplicaChannel.prototype, 'on');
    const { runs, stores } = await started(database, new WrittenPrograms({ busy }, { busy: ['rain'] }));
    const { id } = await runs.start(newRun('busy'));
    await until(async () => (await runs.steps(id)).some(({ kind }) => kind === 'event'));
    await stores.events.deliver([id], { specversion: '1.0', id: '1', source: 'sky', type: 'rain' }, new Date());
    for (const [, listener] of on.mock.calls) await listener(null);
    on.mockRestore();
    await until(() => listened.length > 0);
    working.resolve(null);
    expect(await runs.follow(id, FOREVER)).toMatchObject({ status: 'completed' });
  });

  it.each([
    ['when it is notified', (id: string) => id],
    ['when it may have missed the notification', () => null],
  ])('stops the call of a run that another replica has cancelled, %s', async (_when, told) => {
    let isStopped = false;
    const slow = async (steps: DurableSteps) => {
      const work = Promise.withResolvers<null>();
      await steps.effect(at('work'), null, ({ signal }) => {
        signal.addEventListener('abort', () => {
          isStopped = true;
          work.resolve(null);
        });
        return work.promise;
      });
      return null;
    };
    const database = await open();
    const on = jest.spyOn(ReplicaChannel.prototype, 'on');
    const { runs, stores, sent } = await started(database, new WrittenPrograms({ slow }));
    const { id } = await runs.start(newRun('slow'));
    await until(async () => (await runs.steps(id)).some(({ status }) => status === 'started'));
    await stores.states.cancel(id, new Date());
    for (const [, listener] of on.mock.calls) await listener(told(id));
    on.mockRestore();
    await until(() => isStopped);
    expect(sent.filter(([name]) => name === 'run.ended')).toEqual([]);
  });

  it('continues a run when an aborted block is still writing a step', async () => {
    const nap = at('slow/nap');
    const programs = new WrittenPrograms({
      impatient: async (steps) => {
        const sleeping: BlockBody = async (_block, inner) => (await inner.sleep(nap, () => 600_000), NOTHING);
        await steps.concurrent(at('all'), [blockAt('slow')], { compete: false, timeoutMs: 1 }, sleeping);
        await steps.sleep(at('later'), () => 1);
        return null;
      },
    });
    const database = await open();
    const written = Promise.withResolvers<void>();
    const stores = interruptedStoresOn(database, async (method, [, step], isDone) => {
      if (method === 'record' && step === nap) await (isDone ? written.resolve() : pause(50));
      if (method === 'claim' && isDone) await written.promise.then(() => pause(10));
    });
    const { runs } = await started(database, programs, undefined, stores);
    const { id } = await runs.start(newRun('impatient'));
    await until(async () => (await runs.get(id)).status === 'completed');
  });

  it('leaves no question behind that a block asked when it was stopped', async () => {
    const question = { message: 'Go?', schema: { type: 'object' } };
    const asking: BlockBody = async ({ step }, inner) => {
      if (step.name === 'slow') await inner.waitEvent(at('slow/ask'), { with: { type: ANSWER_EVENT }, question });
      return NOTHING;
    };
    const programs = new WrittenPrograms({
      race: async (steps, { id }) => {
        const blocks = [blockAt('slow'), blockAt('fast')];
        await steps.concurrent(at('all'), blocks, { compete: true, timeoutMs: null }, asking);
        const seen = await steps.effect(at('look'), null, async () => {
          const asked = (await runs.steps(id)).find(({ name }) => name === 'slow/ask');
          return asked?.status ?? null;
        });
        return seen.ok && seen.value;
      },
    });
    const database = await open();
    const stores = interruptedStoresOn(
      database,
      async (method, _values, isDone) => method === 'recordQuestion' && !isDone && pause(50),
    );
    const { runs } = await started(database, programs, undefined, stores);
    const { id } = await runs.start(newRun('race'));
    expect(await runs.follow(id, FOREVER)).toMatchObject({ status: 'completed', output: 'cancelled' });
  });

  it('starts many blocks in turns, and suspends the run only when all of them have started', async () => {
    const program = async (steps: DurableSteps): Promise<Json> => {
      const blocks = Array.from({ length: 100 }, (_, index) => blockAt(`block ${index}`));
      await steps.concurrent(at('all'), blocks, { compete: false, timeoutMs: null }, async ({ step }, inner) => {
        await inner.waitEvent(at(`${step.name} wait`), { with: { type: 'rain' } });
        return NOTHING;
      });
      return null;
    };
    const { runs } = await started(await open(), new WrittenPrograms({ large: program }));
    const { id } = await runs.start(newRun('large'));
    await until(async () => (await runs.get(id)).status === 'waiting');
    expect(await runs.steps(id)).toHaveLength(100);
  });

  it('refuses more branches than there may be, and no longer counts those that have ended', async () => {
    const branches = (steps: DurableSteps, name: string, count: number, each: Branch) =>
      steps.concurrent(
        at(name),
        Array.from({ length: count }, (_, index) => blockAt(`${name} ${index}`)),
        { compete: false, timeoutMs: null },
        async ({ step }, inner) => {
          await each(inner, step.name);
          return NOTHING;
        },
      );
    const waiting: Branch = (inner, name) => inner.sleep(at(`${name} nap`), () => 10);
    const { output } = await ended(async (steps) => {
      for (const round of ['a', 'b', 'c']) await branches(steps, round, 1_500, async () => undefined);
      const few = await branches(steps, 'few', 3, (inner, name) => branches(inner, name, 500, waiting));
      const many = await branches(steps, 'many', 3, async (inner, name) => branches(inner, name, 700, waiting));
      return [few.kind, many.kind === 'failed' ? (many.error.detail ?? '') : many.kind];
    });
    expect(output).toEqual(['all', expect.stringContaining('more than 2000 branches at the same time')]);
  });
}

/** Returns programs with a run that does something slow at its end, and what that noted each time it began. */
function countedAfter(first: (steps: DurableSteps) => Promise<unknown>) {
  const begun: string[] = [];
  const counted = async (steps: DurableSteps) => {
    await first(steps);
    await steps.effect(at('after'), null, async () => {
      begun.push('counted');
      await pause(50);
      return null;
    });
    return null;
  };
  return { programs: new WrittenPrograms({ counted }), begun };
}

type BlockBody = (block: BlockRef, steps: DurableSteps) => Promise<BlockResult>;
type Branch = (steps: DurableSteps, name: string) => Promise<unknown>;
