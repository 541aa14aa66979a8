import { randomBytes } from 'node:crypto';
import { ANSWER_EVENT, type CloudEvent } from '#open-workflow';
import type { Database } from '../../../platform/database/database.js';
import { describeEachDatabase } from '../../../platform/database/testing.js';
import { untilLocked, untilLockedOrDone } from '../../../../test/support/lock-waits.js';
import type { ClaimedRun, InsertedRun } from '../runs/execution/claimed-run.js';
import { EngineStores } from './engine-stores.service.js';
import { RunEventStore } from './run-event.store.js';
import { RunStateStore } from './run-state.store.js';
import { type StepRecord, StepStore } from './step.store.js';
import { at, startedRun } from './testing.js';

const EVERYWHERE = [0];
const START = new Date('2026-01-01T00:00:00.000Z');
const later = (seconds: number): Date => new Date(START.getTime() + seconds * 1_000);

const rain = (id: string): CloudEvent => ({ specversion: '1.0', id, source: 'sky', type: 'rain' });
const answer = (id: string): CloudEvent => ({ ...rain(id), type: ANSWER_EVENT });

const record = (status: StepRecord['status'], more: Partial<StepRecord> = {}): StepRecord => ({
  seq: 1,
  kind: 'effect',
  status,
  startedAt: START.toISOString(),
  ...more,
});
const completed = (output: string) => record('completed', { output, endedAt: START.toISOString() });

describeEachDatabase('what the engine keeps of runs', (open, dialect) => {
  let database: Database;
  let stores: EngineStores;
  beforeEach(async () => {
    database = await open();
    stores = new EngineStores(new RunStateStore(database), new StepStore(database), new RunEventStore(database));
  });

  async function insert({ id = randomBytes(16).toString('hex'), ...more }: Partial<InsertedRun> = {}): Promise<string> {
    const run = { ...startedRun(id, 'test'), partition: 0, status: 'pending', createdAt: START, ...more } as const;
    await stores.states.insert(run, START);
    return id;
  }

  async function claim(id: string, now = START): Promise<ClaimedRun> {
    const run = await stores.states.claim(id, EVERYWHERE, now);
    if (!run) throw new Error(`${id} has nothing to do`);
    return run;
  }

  const stepOf = async (id: string, name: string) => (await stores.steps.load(id)).get(name);
  const question = record('waiting', { kind: 'question', wait: { event: { with: { type: ANSWER_EVENT } } } });

  it('are all steps, however many there are', async () => {
    const run = await claim(await insert());
    const names = Array.from({ length: 501 }, (_, number) => `step ${number}`);
    for (const name of names) await stores.steps.record(run, at(name), completed(name));
    expect(new Set((await stores.steps.load(run.id)).keys())).toEqual(new Set(names));
  });

  describe('only the last execution of a run', () => {
    it('writes steps', async () => {
      const id = await insert();
      const [before, last] = [await claim(id), await claim(id)];
      expect(await stores.steps.record(before, at('a'), completed('before'))).toBe(false);
      expect(await stores.steps.record(last, at('a'), completed('last'))).toBe(true);
      expect(await stepOf(id, 'a')).toMatchObject({ output: 'last' });
    });

    it('writes no step after the end of the run', async () => {
      const run = await claim(await insert());
      await stores.states.end(run, { status: 'completed', output: 1 }, START);
      expect(await stores.steps.record(run, at('late'), completed('late'))).toBe(false);
      expect(await stepOf(run.id, 'late')).toBeUndefined();
    });

    // SQLite runs one transaction at a time.
    (dialect === 'postgres' ? it : it.skip)('writes steps, while another one takes it over', async () => {
      const run = await claim(await insert());
      const recorded = await database.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('workflow_runs')
          .set({ epoch: run.epoch + 1 })
          .where('id', '=', run.id)
          .execute();
        const recording = stores.steps.record(run, at('a'), completed('before'));
        await untilLocked(database, 1);
        return { recording };
      });
      expect(await recorded.recording).toBe(false);
    });

    it('starts children, asks, and consumes events', async () => {
      const id = await insert({ eventTypes: ['rain'] });
      const before = await claim(id);
      await claim(id);
      const child: InsertedRun = {
        ...before,
        id: 'c'.repeat(32),
        parent: id,
        parentStep: 'a',
        status: 'pending',
      } as never;
      expect(await stores.steps.recordChild(before, at('a'), record('waiting'), child, START)).toBe(false);
      expect(await stores.steps.recordQuestion(before, at('b'), question)).toBe(false);
      await stores.events.deliver([id], rain('1'), START);
      const [event] = await stores.steps.listEvents(id, 0);
      expect(await stores.steps.consume(before, at('c'), completed(''), event?.seq ?? 0)).toBe(false);
      expect(await stores.steps.load(id)).toEqual(new Map());
      expect(await stores.steps.listEvents(id, 0)).toHaveLength(1);
    });

    it('suspends it, and ends it', async () => {
      const id = await insert();
      const [before, last] = [await claim(id), await claim(id)];
      expect(await stores.states.suspend(before, null, null, START)).toBe('lost');
      expect(await stores.states.end(before, { status: 'completed', output: 1 }, START)).toBeNull();
      expect(await stores.states.end(last, { status: 'completed', output: 2 }, START)).toEqual({
        woken: [],
        cancelled: [],
      });
      expect((await stores.states.listEndings([id])).get(id)).toMatchObject({
        ending: { status: 'completed', output: 2 },
      });
    });
  });

  // As when the connection breaks after the commit.
  it('writes the outcome of a step, and the end of the run, again while the first response is lost', async () => {
    const parent = await insert();
    const run = await claim(await insert({ parent, parentStep: 'a' }));
    const outcomes = [
      completed('output'),
      record('failed', { error: { type: 'x', status: 500 }, endedAt: START.toISOString() }),
    ];
    for (const [number, outcome] of outcomes.entries())
      for (let time = 0; time < 2; time += 1)
        expect(await stores.steps.record(run, at(`step ${number}`), outcome)).toBe(true);
    const end = () => stores.states.end(run, { status: 'completed', output: 1 }, START);
    expect(await end()).toEqual({ woken: [expect.objectContaining({ id: parent })], cancelled: [] });
    expect(await end()).toEqual({ woken: [expect.objectContaining({ id: parent })], cancelled: [] });
    expect(await stores.states.end(run, { status: 'failed', error: { type: 'x', status: 500 } }, START)).toBeNull();
  });

  it('does not end a run that was cancelled', async () => {
    const run = await claim(await insert());
    await stores.states.cancel(run.id, START);
    expect(await stores.states.end(run, { status: 'completed', output: 1 }, START)).toBeNull();
  });

  it('does not change a step that has ended', async () => {
    const run = await claim(await insert());
    await stores.steps.record(run, at('a'), completed('first'));
    expect(await stores.steps.record(run, at('a'), record('started'))).toBe(false);
    expect(await stores.steps.record(run, at('a'), completed('second'))).toBe(false);
    expect(await stepOf(run.id, 'a')).toMatchObject({ status: 'completed', output: 'first' });
  });

  it('claims a run when it has something to do, and finishes the sleeps that are over', async () => {
    const id = await insert();
    const run = await claim(id);
    const sleep = { seq: 1, kind: 'sleep', startedAt: START.toISOString() } as const;
    await stores.steps.record(run, at('short'), { ...sleep, status: 'waiting', wakeAt: later(10) });
    await stores.steps.record(run, at('long'), { ...sleep, status: 'waiting', wakeAt: later(99) });
    expect(await stores.states.suspend(run, later(10), null, START)).toBe('suspended');
    expect(await stores.states.claim(id, EVERYWHERE, later(9))).toBeUndefined();
    expect(await stores.states.claim(id, [1, 2], later(10))).toBeUndefined();
    expect(await stores.states.listDue(EVERYWHERE, later(10), 5)).toEqual([{ id, wakeAt: later(10) }]);
    expect(await stores.states.claim(id, EVERYWHERE, later(10))).toMatchObject({ id, epoch: run.epoch + 1 });
    expect(await stepOf(id, 'short')).toMatchObject({ status: 'completed', endedAt: later(10).toISOString() });
    expect(await stepOf(id, 'long')).toMatchObject({ status: 'waiting' });
  });

  describe('does not suspend a run when there is news', () => {
    it('of an event that no step has looked at', async () => {
      const id = await insert({ eventTypes: ['rain'] });
      const run = await claim(id);
      await stores.events.deliver([id], rain('1'), START);
      expect(await stores.states.suspend(run, null, 0, START)).toBe('has news');
      const [event] = await stores.steps.listEvents(id, 0);
      expect(await stores.states.suspend(run, null, event?.seq ?? 0, START)).toBe('suspended');
    });

    it('of an answer', async () => {
      const id = await insert();
      const run = await claim(id);
      await stores.steps.recordQuestion(run, at('ask'), question);
      await stores.events.answer(id, 'ask', answer('1'), START);
      expect(await stores.states.suspend(run, null, 0, START)).toBe('has news');
    });

    it('of a child that has ended', async () => {
      const id = await insert();
      const run = await claim(id);
      const wait = record('waiting', { kind: 'child', wait: { child: 'c'.repeat(32) } });
      await stores.steps.record(run, at('child'), wait);
      const child = await claim(await insert({ parent: id, parentStep: 'child', root: id }));
      expect(await stores.states.suspend(run, null, null, START)).toBe('suspended');
      expect(await stores.states.end(child, { status: 'completed', output: 1 }, START)).toMatchObject({
        woken: [{ id, partition: 0 }],
      });
      const again = await claim(id);
      expect(await stores.states.suspend(again, null, null, START)).toBe('has news');
    });
  });

  describe('events', () => {
    it('reach a run once, however often they are delivered, and wake it', async () => {
      const [id, other] = [await insert({ eventTypes: ['rain'] }), await insert({ eventTypes: ['*'] })];
      expect((await stores.events.listListeners('rain')).sort()).toEqual([id, other].sort());
      expect(await stores.events.listListeners('snow')).toEqual([other]);
      await stores.states.suspend(await claim(id), null, 0, START);
      expect(await stores.states.claim(id, EVERYWHERE, later(99))).toBeUndefined();
      expect(await stores.events.deliver([id], rain('1'), START)).toMatchObject([{ id, partition: 0 }]);
      expect(await stores.events.deliver([id, other], rain('1'), START)).toMatchObject([{ id: other, partition: 0 }]);
      expect(await stores.states.claim(id, EVERYWHERE, START)).toMatchObject({ id });
      expect(await stores.steps.listEvents(id, 0)).toHaveLength(1);
    });

    it('reach a run that listens for a pattern of types, if theirs is one of them', async () => {
      const [rains, any] = [await insert({ eventTypes: ['~rain|hail'] }), await insert({ eventTypes: ['~.*n.*'] })];
      expect((await stores.events.listListeners('rain')).sort()).toEqual([rains, any].sort());
      expect(await stores.events.listListeners('snow')).toEqual([any]);
      expect(await stores.events.listListeners('drizzle')).toEqual([]);
    });

    it('no longer reach a run that has ended', async () => {
      const [id, cancelled] = [await insert({ eventTypes: ['rain'] }), await insert({ eventTypes: ['*'] })];
      await stores.states.end(await claim(id), { status: 'completed', output: 1 }, START);
      await stores.states.cancel(cancelled, START);
      expect(await stores.events.listListeners('rain')).toEqual([]);
    });

    it('are limited to the latest ones, and dropped ones are reported once', async () => {
      const id = await insert({ eventTypes: ['rain'] });
      for (let n = 0; n < 1_000; n++) await stores.events.deliver([id], rain(`${n}`), START);
      const warnings = () => database.selectFrom('workflow_logs').select(['run_id', 'level']).execute();
      expect(await warnings()).toEqual([]);
      for (const more of ['one more', 'another'])
        expect(await stores.events.deliver([id], rain(more), START)).toHaveLength(1);
      const kept = (await stores.steps.listEvents(id, 0)).map(({ event }) => event.id);
      expect([kept.length, kept[0], kept.at(-1)]).toEqual([1_000, '2', 'another']);
      expect(await warnings()).toEqual([{ run_id: id, level: 'warning' }]);
    });
  });

  it('gives a question the first answer, and counts the questions that are open', async () => {
    const id = await insert();
    const run = await claim(id);
    await stores.steps.recordQuestion(run, at('ask'), question);
    await stores.steps.recordQuestion(run, at('ask too'), question);
    const questions = async () =>
      (await database.selectFrom('workflow_runs').select('questions').executeTakeFirstOrThrow()).questions;
    expect(await questions()).toBe(2);
    expect(await stores.events.answer(id, 'ask', answer('first'), START)).toMatchObject({ id, partition: 0 });
    expect(await stores.events.answer(id, 'ask', answer('second'), START)).toBeNull();
    expect(await stores.events.answer(id, 'elsewhere', answer('third'), START)).toBeNull();
    expect(await questions()).toBe(1);
    expect(await stepOf(id, 'ask')).toMatchObject({ output: { id: 'first' } });
    expect((await stores.steps.listEvents(id, 0)).map(({ event }) => event.id)).toEqual(['first']);
    const blocks = { runId: id, epoch: run.epoch, blocks: ['ask too'], watcher: 'all' };
    await stores.steps.cancelWithin({ ...blocks, epoch: run.epoch - 1 }, START);
    expect(await questions()).toBe(1);
    await stores.steps.cancelWithin(blocks, START);
    expect(await questions()).toBe(0);
  });

  it('cancels the children that a run waits for when it ends, and no others', async () => {
    const id = await insert();
    const run = await claim(id);
    const child = await insert({ parent: id, parentStep: 'child', root: id, name: 'child', origin: 'parent' });
    const grandchild = await insert({ parent: child, parentStep: 'child', root: id, name: 'child', origin: 'parent' });
    const alone = await insert({ parent: id, parentStep: 'started', root: id });
    await stores.steps.record(run, at('child'), record('waiting', { kind: 'child', wait: { child } }));
    await stores.steps.record(run, at('started'), completed('not waited for'));
    await stores.steps.record(await claim(child), at('child'), record('waiting', { kind: 'child', wait: { child } }));
    expect(await stores.states.end(run, { status: 'completed', output: 1 }, START)).toMatchObject({
      woken: [],
      cancelled: [{ id: child }, { id: grandchild }],
    });
    expect([...(await stores.states.listEndings([id, child, grandchild, alone])).keys()].sort()).toEqual(
      [id, child, grandchild].sort(),
    );
  });

  it('stops the steps of a block, and none of a later attempt, visit or iteration whose name begins alike', async () => {
    const id = await insert();
    const run = await claim(id);
    const within = ['/1/b', '/1/b!2', '/1/b?key', '/1/b?key!2', '/1/b/do/0/c', '/1/b/retry~2', '/1/b/use/functions/f'];
    const others = ['/1/b/timeout', '/1/b~2', '/1/b~2/timeout', '/1/b@2', '/1/b#1/do/0/c', '/1/bb', '/11/b', '/1'];
    for (const name of [...within, ...others]) await stores.steps.record(run, at(name), record('waiting'));
    await stores.steps.cancelWithin({ runId: id, epoch: null, blocks: ['/1/b'], watcher: '/1/b/timeout' }, START);
    const stopped = [...(await stores.steps.load(id)).values()].filter(({ status }) => status === 'cancelled');
    expect(stopped.map(({ name }) => name).sort()).toEqual([...within].sort());
  });

  it('names the run that a block waited for again, if its process may have died before it cancelled that run', async () => {
    const id = await insert();
    const run = await claim(id);
    const waiting = record('waiting', { kind: 'child', wait: { child: 'c' } });
    const child = { ...startedRun('c', 'test'), partition: 0, status: 'pending' } as const;
    await stores.steps.recordChild(run, at('a/b'), waiting, child, START);
    const stop = () => stores.steps.cancelWithin({ runId: id, epoch: run.epoch, blocks: ['a'], watcher: 'all' }, START);
    expect(await stop()).toEqual(['c']);
    expect(await stop()).toEqual(['c']);
  });

  it('cancels a run that has not ended, once, with the children that it waits for', async () => {
    const id = await insert();
    const run = await claim(id);
    const child = await insert({ parent: id, parentStep: 'child', root: id, name: 'child', origin: 'parent' });
    const alone = await insert({ parent: id, parentStep: 'started', root: id });
    await stores.steps.record(run, at('child'), record('waiting', { kind: 'child', wait: { child } }));
    await stores.steps.record(run, at('started'), completed('not waited for'));
    const { cancelled } = await stores.states.cancel(id, START);
    expect(cancelled).toEqual([
      { id, partition: 0, name: 'test', client: 'ada', origin: 'call' },
      { id: child, partition: 0, name: 'child', client: 'ada', origin: 'parent' },
    ]);
    expect(await stores.states.cancel(id, START)).toEqual({ cancelled: [], woken: [] });
    expect(await stores.steps.record(run, at('b'), completed(''))).toBe(false);
    expect(await stores.states.listEndings([id, child, alone])).toEqual(
      new Map([
        [id, { ending: { status: 'cancelled' }, at: START.toISOString() }],
        [child, { ending: { status: 'cancelled' }, at: START.toISOString() }],
      ]),
    );
  });

  it('are not started from a step of a run that was deleted in the meantime', async () => {
    const takesOver = { runId: 'gone', replaced: { step: 'a', task: '/do/0/a', input: null } };
    await expect(insert({ takesOver })).rejects.toMatchObject({ kind: 'not_found', code: 'runs.run_not_found' });
    expect(await database.selectFrom('workflow_runs').select('id').execute()).toEqual([]);
  });

  // On SQLite, there is one transaction at a time.
  (dialect === 'postgres' ? it : it.skip)('are two questions that are asked at once', async () => {
    const run = await claim(await insert());
    const { asking } = await database.transaction().execute(async (transaction) => {
      // Both are about to count the questions of the run.
      await transaction.selectFrom('workflow_runs').select('id').where('id', '=', run.id).forShare().execute();
      const both = ['a', 'b'].map((name) => stores.steps.recordQuestion(run, at(name), question));
      await untilLocked(database, 2);
      return { asking: Promise.all(both) };
    });
    expect(await asking).toEqual([true, true]);
    const { questions } = await database.selectFrom('workflow_runs').select('questions').executeTakeFirstOrThrow();
    expect(questions).toBe(2);
  });

  // SQLite runs one transaction at a time.
  (dialect === 'postgres' ? describe : describe.skip)('are locked in one order, parents first', () => {
    const idOf = (letter: string) => letter.repeat(32);
    const [first, second, third, last] = [idOf('a'), idOf('b'), idOf('c'), idOf('d')];

    /** Starts both, one after the other, while a run is locked. */
    async function whileLocked<One, Other>(id: string, one: () => Promise<One>, other: () => Promise<Other>) {
      const { both } = await database.transaction().execute(async (transaction) => {
        await transaction.updateTable('workflow_runs').set({ questions: 0 }).where('id', '=', id).execute();
        const begun = one();
        await untilLocked(database, 1);
        const afterwards = other();
        await untilLockedOrDone(database, 2, afterwards);
        return { both: Promise.all([begun, afterwards]) };
      });
      return both;
    }

    it('while an event reaches a parent and a child that ends', async () => {
      const parent = await insert({ id: third });
      await insert({ id: second });
      const child = await claim(await insert({ id: first, parent, parentStep: 'child', depth: 1 }));
      const [reached, ended] = await whileLocked(
        second,
        () => stores.events.deliver([first, second, third], rain('1'), START),
        () => stores.states.end({ ...child, parent }, { status: 'completed', output: 1 }, START),
      );
      expect(reached.length).toBeGreaterThanOrEqual(2); // the child may end earlier
      expect(ended?.woken).toMatchObject([{ id: parent }]);
    });

    it('while an event reaches runs that are cancelled with all that they wait for', async () => {
      const id = await insert();
      const run = await claim(id);
      for (const child of [first, second, third]) {
        await insert({ id: child, parent: id, parentStep: child, depth: 1 });
        await stores.steps.record(run, at(child), record('waiting', { kind: 'child', wait: { child } }));
      }
      const grandchild = await insert({ id: last, parent: first, parentStep: 'child', depth: 2 });
      const waiting = record('waiting', { kind: 'child', wait: { child: grandchild } });
      const [parent] = [await claim(first), await claim(second), await claim(third)];
      await stores.steps.record(parent, at('child'), waiting);
      const [{ cancelled }] = await whileLocked(
        second,
        () => stores.states.cancel(id, START),
        () => stores.events.deliver([third, grandchild], rain('1'), START),
      );
      expect(cancelled.map((one) => one.id)).toEqual([id, first, second, third, grandchild]);
    });
  });
});
