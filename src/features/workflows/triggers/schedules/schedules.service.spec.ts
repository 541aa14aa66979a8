import { setImmediate as nextTurn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Cron } from 'croner';
import type { Schedule, WorkflowDefinition } from '#open-workflow';
import type { Database } from '../../../../platform/database/database.js';
import { DatabaseUnavailable } from '../../../../platform/database/database.errors.js';
import { describeEachDatabase } from '../../../../platform/database/testing.js';
import type { RunsService } from '../../runs/runs.service.js';
import { definitionsOf, replicaOn, scheduledWorkflows, startedRuns, TestClock } from '../testing.js';
import { ScheduledStarts } from './scheduled-starts.service.js';
import { Schedules } from './schedules.service.js';
import type { CatchUp } from './schedule.rules.js';
import { TickStore } from './tick.store.js';
import { TimetableStore } from './timetable.store.js';
import { numbersBelow } from '../../../../../test/fuzz/random.js';

const NOON = '2026-11-21T12:00:30Z';

/** Predicts the runs of workflows with regular intervals while processes start and stop. */
class ModelSchedules {
  readonly started: string[] = [];
  private readonly doneUntil = new Map<string, number>();

  constructor(
    private readonly periodsMs: Record<string, number>,
    private readonly catchUp: CatchUp,
  ) {}

  /** A process starts, possibly beside others. */
  catchUpAt(now: number): void {
    for (const name of Object.keys(this.periodsMs)) {
      const due = this.ticksUntil(name, now);
      const late = due.filter((tick) => now - tick > 60_000);
      const inTime = due.filter((tick) => now - tick <= 60_000);
      const wanted = { none: 0, last: inTime.length > 0 ? 0 : 1, all: 100 }[this.catchUp];
      this.start(name, wanted === 0 ? inTime : [...late.slice(-wanted), ...inTime]);
      this.doneUntil.set(name, now);
    }
  }

  /** A process runs until then. */
  runUntil(until: number): void {
    for (const name of Object.keys(this.periodsMs)) {
      this.start(name, this.ticksUntil(name, until));
      this.doneUntil.set(name, until);
    }
  }

  private start(name: string, ticks: readonly number[]): void {
    this.started.push(...ticks.map((tick) => `${name} ${new Date(tick).toISOString()}`));
  }

  private ticksUntil(name: string, until: number): number[] {
    const [period, from] = [this.periodsMs[name] ?? 0, this.doneUntil.get(name) ?? until];
    const ticks: number[] = [];
    for (let at = (Math.floor(from / period) + 1) * period; at <= until; at += period) ticks.push(at);
    return ticks;
  }
}

describeEachDatabase('triggers', (open) => {
  // In a nested block, so that its cleanup runs before the database is closed.
  describe('schedules', () => {
    let database: Database;
    let clock: TestClock;
    let workflows: WorkflowDefinition[];
    let replicas: Replica[];
    let warn: jest.SpiedFunction<Logger['warn']>;
    beforeEach(async () => {
      database = await open();
      clock = new TestClock(NOON);
      replicas = [];
      warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    });
    afterEach(async () => {
      warn.mockRestore();
      for (const replica of [...replicas]) await replica.stop();
    });

    interface Replica {
      schedules: Schedules;
      runs: RunsService;
      events: Awaited<ReturnType<typeof replicaOn>>['events'];
      stop: () => Promise<void>;
    }

    const schedule = (schedules: Record<string, Schedule>, catchUp?: CatchUp) =>
      (workflows = scheduledWorkflows(schedules, catchUp));
    async function startReplica(work?: () => Promise<null>): Promise<Replica> {
      const { engine, runs, events } = await replicaOn(database, ['report', 'sweep', 'sequel'], work);
      const ticks = new TickStore(database);
      const starts = new ScheduledStarts(runs, ticks);
      const schedules = new Schedules(definitionsOf(workflows), starts, new TimetableStore(database), clock, events);
      const replica: Replica = {
        schedules,
        runs,
        events,
        stop: async () => {
          replicas = replicas.filter((other) => other !== replica);
          await schedules.beforeApplicationShutdown();
          await engine.beforeApplicationShutdown();
        },
      };
      replicas.push(replica);
      await schedules.onApplicationBootstrap();
      return replica;
    }
    const settle = () => Promise.all(replicas.map(({ schedules }) => schedules.settled()));
    const advance = (time: string | Date) => clock.advanceTo(time, settle);
    const changed = async () => {
      for (const { events } of replicas) events.emit('workflows.changed', { names: ['report'] });
      await settle();
    };
    const keys = async () => (await startedRuns(database)).map(({ key }) => key.replace('schedule ', ''));
    const warnings = () => warn.mock.calls.map(([message]) => String(message));

    it('start one run at each time, in the name of the service', async () => {
      schedule({ report: { cron: '* * * * *' } });
      const { runs } = await startReplica();
      await advance('2026-11-21T12:02:59Z');
      expect(await keys()).toEqual(['2026-11-21T12:01:00.000Z', '2026-11-21T12:02:00.000Z']);
      const { items } = await runs.listPage({ limit: 10 });
      expect(items.map(({ name, origin, client }) => [name, origin, client])).toEqual([
        ['report', 'schedule', 'service'],
        ['report', 'schedule', 'service'],
      ]);
    });

    it.each<CatchUp>(['none', 'last', 'all'])(
      'start one run at each time, whichever processes come and go, and catch up with %s of those missed',
      async (catchUp) => {
        schedule({ report: { cron: '*/2 * * * *' }, sweep: { every: { seconds: 90 } } }, catchUp);
        const random = numbersBelow(11);
        const model = new ModelSchedules({ report: 120_000, sweep: 90_000 }, catchUp);
        while (model.started.length < 350) {
          if (random(3) > 0 && replicas.length < 3) {
            await startReplica();
            model.catchUpAt(+clock.now());
          } else if (random(2) === 0) await replicas[random(replicas.length)]?.stop();
          const until = +clock.now() + 1_000 + random(random(5) === 0 ? 2_000 : 200) * 1_000 + 1;
          if (replicas.length > 0) model.runUntil(until);
          await advance(new Date(until));
        }
        const started = (await startedRuns(database)).map(({ name, key }) => `${name} ${key.replace('schedule ', '')}`);
        expect(started.sort()).toEqual(model.started.sort());
        expect(new Set(started).size).toBe(started.length);
      },
    );

    it('decide about one workflow in a turn of the event loop, however many missed their times', async () => {
      schedule(Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, { cron: '* * * * *' }])), 'all');
      await startReplica();
      await replicas[0]?.stop();
      await advance('2026-11-23T12:00:30Z');
      let turns = 0;
      const counting = new AbortController();
      const decided: number[] = [];
      const looks = jest.spyOn(Cron.prototype, 'previousRuns').mockImplementation(() => (decided.push(turns), []));
      const counted = countTurns(counting.signal, () => (turns += 1));
      await startReplica();
      counting.abort();
      await counted;
      looks.mockRestore();
      expect(decided).toHaveLength(4);
      expect(new Set(decided).size).toBe(4);
    });

    it('start no second run when a start could not be noted', async () => {
      schedule({ report: { cron: '* * * * *' } });
      const add = jest.spyOn(TickStore.prototype, 'add').mockRejectedValueOnce(new Error('cut off'));
      await startReplica();
      await advance('2026-11-21T12:01:01Z');
      const isNoted = () => new TickStore(database).has('report', new Date('2026-11-21T12:01:00Z'));
      expect(await isNoted()).toBe(false);
      await advance('2026-11-21T12:01:30Z');
      add.mockRestore();
      expect(await keys()).toEqual(['2026-11-21T12:01:00.000Z']);
      expect(await isNoted()).toBe(true);
    });

    it('catch up after a short outage of the database, and skip what is over after a long one', async () => {
      schedule({ report: { cron: '* * * * *' } });
      const { runs } = await startReplica();
      const start = jest.spyOn(runs, 'start');
      start
        .mockRejectedValueOnce(new DatabaseUnavailable('away', { cause: null, isLasting: false }))
        .mockRejectedValueOnce(new Error('away'));
      await advance('2026-11-21T12:01:30Z');
      expect(await keys()).toEqual(['2026-11-21T12:01:00.000Z']);
      start.mockRejectedValue(new Error('away'));
      await advance('2026-11-21T12:03:30Z');
      start.mockRestore();
      await advance('2026-11-21T12:04:30Z');
      expect(await keys()).toEqual([
        '2026-11-21T12:01:00.000Z',
        '2026-11-21T12:03:00.000Z',
        '2026-11-21T12:04:00.000Z',
      ]);
      expect(warnings()).toContain('skipped 1 scheduled run of report: nothing could be started at that time');
    });

    it('skip missed times when the workflow says so, and report it', async () => {
      schedule({ report: { cron: '*/10 * * * *' } }, 'none');
      const before = await startReplica();
      await advance('2026-11-21T12:01:30Z');
      await before.stop();
      await advance('2026-11-21T12:34:30Z');
      await startReplica();
      await advance('2026-11-21T12:40:30Z');
      expect(await keys()).toEqual(['2026-11-21T12:40:00.000Z']);
      expect(warnings()).toEqual(['skipped 3 scheduled runs of report: nothing could be started at that time']);
    });

    it('start what a restart missed, also the first time of a workflow', async () => {
      schedule({ report: { cron: '0 13 * * *' } });
      const before = await startReplica();
      await before.stop();
      await advance('2026-11-21T13:10:00Z');
      await Promise.all([startReplica(), startReplica(), startReplica()]);
      expect(await keys()).toEqual(['2026-11-21T13:00:00.000Z']);
      await advance('2026-11-22T12:59:00Z');
      expect(await keys()).toHaveLength(1);
    });

    it('start nothing for the time before a workflow had this schedule, or while it was switched off', async () => {
      schedule({ report: { cron: '0 * * * *' } }, 'all');
      const first = await startReplica();
      await first.stop();
      workflows.splice(0, 1, ...scheduledWorkflows({ report: { cron: '30 * * * *' } }, 'all'));
      await advance('2026-11-21T15:10:00Z');
      const second = await startReplica();
      expect(await keys()).toEqual([]);
      const [report] = workflows.splice(0);
      await changed();
      await advance('2026-11-21T18:10:00Z');
      workflows.push(...[report].filter((workflow) => workflow !== undefined));
      await second.stop();
      await startReplica();
      expect(await keys()).toEqual([]);
      await advance('2026-11-21T18:30:00Z');
      expect(await keys()).toEqual(['2026-11-21T18:30:00.000Z']);
    });

    it.each([['goes on'], ['starts anew']])(
      'follow a clock that was ahead for a moment, in a process that %s',
      async (how) => {
        schedule({ report: { cron: '* * * * *' }, sweep: { every: { hours: 1 } } });
        const replica = await startReplica();
        await clock.jumpTo('2027-11-21T12:00:45Z', settle);
        if (how === 'starts anew') await replica.stop();
        await clock.jumpTo('2026-11-21T12:00:50Z', settle);
        if (how === 'starts anew') await startReplica();
        const before = await keys();
        await advance('2026-11-21T13:00:30Z');
        const [started, minutes] = [await keys(), Array.from({ length: 60 }, (_, minute) => minute + 1)];
        const expected = minutes.map((minute) => new Date(Date.parse('2026-11-21T12:00:00Z') + minute * 60_000));
        expect(started).toHaveLength(before.length + 61);
        expect(started).toEqual(expect.arrayContaining(expected.map((time) => time.toISOString())));
      },
    );

    it('start nothing twice when the clock is set back', async () => {
      schedule({ report: { cron: '* * * * *' } });
      await startReplica();
      await startReplica();
      await advance('2026-11-21T12:03:30Z');
      await clock.jumpTo('2026-11-21T12:01:30Z', settle);
      await advance('2026-11-21T12:04:30Z');
      const minutes = ['01', '02', '03', '04'];
      expect(await keys()).toEqual(minutes.map((minute) => `2026-11-21T12:${minute}:00.000Z`));
    });

    it('do not count what ran before the clock was set back as skipped', async () => {
      schedule({ report: { cron: '* * * * *' } }, 'none');
      const replica = await startReplica();
      await advance('2026-11-21T12:03:30Z');
      await clock.jumpTo('2026-11-21T12:01:30Z', settle);
      await advance('2026-11-21T12:02:30Z');
      await replica.stop();
      await clock.jumpTo('2026-11-21T12:05:30Z', settle);
      await startReplica();
      expect(warnings()).toEqual([expect.stringMatching(/^skipped 1 scheduled run of report/)]);
    });

    it('follow the definitions', async () => {
      schedule({ report: { cron: '* * * * *' } });
      await startReplica();
      await startReplica();
      const [report] = workflows.splice(0);
      await changed();
      await advance('2026-11-21T12:05:30Z');
      expect(await keys()).toEqual([]);
      workflows.push(...scheduledWorkflows({ report: { cron: '30 * * * *' } }));
      await changed();
      await advance('2026-11-21T12:59:30Z');
      expect(await keys()).toEqual(['2026-11-21T12:30:00.000Z']);
      workflows.splice(0, 1, ...[report].filter((workflow) => workflow !== undefined));
      await changed();
      await advance('2026-11-21T13:01:30Z');
      expect(await keys()).toEqual([
        '2026-11-21T12:30:00.000Z',
        '2026-11-21T13:00:00.000Z',
        '2026-11-21T13:01:00.000Z',
      ]);
    });

    it('plan again when the definitions could not be read', async () => {
      schedule({ report: { cron: '* * * * *' } });
      const error = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
      const splice = jest.spyOn(TimetableStore.prototype, 'register').mockRejectedValueOnce(new Error('away'));
      await startReplica();
      await advance('2026-11-21T12:01:30Z');
      expect(await keys()).toEqual(['2026-11-21T12:01:00.000Z']);
      expect(error).toHaveBeenCalledTimes(1);
      error.mockRestore();
      splice.mockRestore();
    });

    it('log what cannot be started, and go on', async () => {
      schedule({ report: { cron: '* * * * *' } });
      const { runs } = await startReplica();
      const { RunInputTooLarge } = await import('../../runs/runs.errors.js');
      jest.spyOn(runs, 'start').mockRejectedValueOnce(new RunInputTooLarge(2, 1));
      await advance('2026-11-21T12:02:30Z');
      expect(await keys()).toEqual(['2026-11-21T12:02:00.000Z']);
      expect(warnings()).toEqual([
        expect.stringMatching(/^the schedule of the workflow report could not start a run: the input/i),
      ]);
    });

    it('start a workflow some time after the end of its last run, once for all replicas', async () => {
      schedule({ sequel: { after: { minutes: 10 } } });
      const endings: (() => void)[] = [];
      const work = () => new Promise<null>((resolve) => endings.push(() => resolve(null)));
      const ended = async ({ runs }: Replica) => {
        const [last] = (await runs.listPage({ name: 'sequel', limit: 1 })).items;
        for (const end of endings.splice(0)) end();
        await runs.follow(last?.id ?? '', { timeoutMs: 100_000, signal: new AbortController().signal });
        await settle();
      };
      const minutes = (count: number) => advance(new Date(+clock.now() + count * 60_000));
      clock = new TestClock(new Date().toISOString()); // the engine records ends with the real clock
      const one = await startReplica(work);
      const other = await startReplica(work);
      await minutes(60);
      expect(await keys()).toEqual(['first']);
      await one.schedules.beforeApplicationShutdown();
      await ended(one);
      // The other replica is not notified of an end elsewhere, and finds it by polling.
      await minutes(60);
      expect((await keys()).sort()).toEqual([expect.stringMatching(/^after [0-9a-f]{32}$/), 'first']);
      await other.schedules.beforeApplicationShutdown();
      await ended(other);
    });

    it('forget old ticks', async () => {
      const ticks = new TickStore(database);
      const day = (number: number) => new Date(`2026-11-0${number}T00:00:00Z`);
      for (const number of [1, 2, 3, 4]) await ticks.add('report', day(number));
      await ticks.add('report', day(4));
      await ticks.add('sweep', day(1));
      await ticks.prune(day(3));
      const has = async (workflow: string) =>
        Promise.all([1, 2, 3, 4].map((number) => ticks.has(workflow, day(number))));
      expect([await has('report'), await has('sweep')]).toEqual([
        [false, false, true, true],
        [false, false, false, false],
      ]);
    });
  });
});

async function countTurns(signal: AbortSignal, count: () => void): Promise<void> {
  for (; !signal.aborted; count()) await nextTurn();
}
