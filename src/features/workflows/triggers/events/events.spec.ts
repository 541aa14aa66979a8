import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ANSWER_EVENT, type CloudEvent, JqExpressions, type Schedule, WorkflowError } from '#open-workflow';
import type { Database } from '../../../../platform/database/database.js';
import { DatabaseUnavailable } from '../../../../platform/database/database.errors.js';
import { describeEachDatabase } from '../../../../platform/database/testing.js';
import type { FeedsService } from '../../../feeds/feeds.service.js';
import { newFeed, newItem } from '../../../feeds/testing.js';
import type { Document } from '../../../knowledge/documents/document.js';
import type { KnowledgeService } from '../../../knowledge/knowledge.service.js';
import type { MemoryEntry } from '../../../memory/memory-entry.js';
import type { MemoryService } from '../../../memory/memory.service.js';
import type { RunExpressions } from '../../definitions/expressions.service.js';
import { hasEnded, type NewRun } from '../../runs/run.js';
import { definitionsOf, replicaOn, scheduledWorkflows, startedRuns, TestClock } from '../testing.js';
import { EmittedEvents } from '../../runs/events/emitted-events.service.js';
import { EventWorkflows } from './event-workflows.service.js';
import { EventSubjects } from './event-subjects.service.js';
import { RunChainStore, withSourceSince } from '../../runs/events/run-chain.store.js';
import { ServiceEvents } from './service-events.service.js';
import { TriggeredRuns } from './triggered-runs.service.js';

const on = (filter: Record<string, string>, read?: 'envelope'): Schedule => ({
  on: { one: { with: filter } },
  ...(read && { read }),
});
const order = (change: Partial<CloudEvent> = {}): CloudEvent => ({
  specversion: '1.0',
  id: '1',
  source: '/shop',
  type: 'order.placed',
  data: { total: 120 },
  ...change,
});
const called: NewRun = {
  program: 'workflow',
  name: 'origin',
  version: '1.0.0',
  input: {},
  origin: 'call',
  client: { name: 'ada', groups: [] },
  idempotencyKey: null,
  isTest: false,
};

describeEachDatabase('triggers', (open, dialect) => {
  // In a nested block, so that its cleanup runs before the database is closed.
  describe('events', () => {
    let database: Database;
    let warn: jest.SpiedFunction<Logger['warn']>;
    const stops: (() => Promise<void>)[] = [];
    const expressions = new JqExpressions() as RunExpressions;
    beforeEach(async () => {
      database = await open();
      warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    });
    afterEach(async () => {
      warn.mockRestore();
      for (const stop of stops.splice(0)) await stop();
    });
    afterAll(() => expressions.close());

    const warnings = () => warn.mock.calls.map(([message]) => String(message));
    const chains = () => new RunChainStore(database);
    async function startReplica(schedules: Record<string, Schedule>, work?: () => Promise<null>) {
      const { engine, runs, events } = await replicaOn(database, [...Object.keys(schedules), 'thank', 'origin'], work);
      const clock = new TestClock('2026-11-21T12:00:00Z');
      const workflows = scheduledWorkflows(schedules);
      const definitions = definitionsOf(workflows);
      const current = new EventWorkflows(definitions, events);
      current.onModuleInit();
      new TriggeredRuns(runs, current, expressions, clock).onModuleInit();
      const subjects = new EventSubjects(
        {
          find: async (id) => newFeed({ id }),
          findItem: async (feedId, id) => newItem({ feedId, id }),
        } as FeedsService,
        { find: async (_id: string): Promise<Document | undefined> => undefined } as KnowledgeService,
        {
          find: async (_namespace: string, _key: string): Promise<MemoryEntry | undefined> => undefined,
        } as MemoryService,
      );
      const service = new ServiceEvents(events, subjects, runs, chains(), clock);
      service.onModuleInit();
      const stop = async () => {
        await service.beforeApplicationShutdown();
        await engine.beforeApplicationShutdown();
      };
      stops.push(stop);
      return { runs, events, service, clock, workflows, definitions };
    }
    const names = async () => (await startedRuns(database)).map(({ name }) => name).sort();
    const allEnded = async () => {
      const rows = await database.selectFrom('workflow_runs').select('status').execute();
      return rows.every(({ status }) => hasEnded(status as 'running'));
    };

    it('start one run of each workflow that they fit, with the event or its data as input', async () => {
      const { runs } = await startReplica({
        bill: on({ type: 'order.placed' }),
        thank: on({ type: 'order.placed', data: '${ .total > 100 }' }, 'envelope'),
        warn: on({ type: 'order.placed', data: '${ .total > 200 }' }),
        pay: on({ type: 'order.paid' }),
      });
      await runs.publish(order());
      const inputs = Object.fromEntries((await startedRuns(database)).map(({ name, input }) => [name, input]));
      expect(inputs).toEqual({ bill: [{ total: 120 }], thank: [order()] });
      const { items } = await runs.listPage({ limit: 10 });
      expect(items.map(({ origin, client }) => [origin, client])).toEqual(items.map(() => ['event', 'service']));
    });

    it('start a run once, however often and wherever they are published', async () => {
      const replicas = [await startReplica({ bill: on({ type: 'order.placed' }) })];
      if (dialect === 'postgres') replicas.push(await startReplica({ bill: on({ type: 'order.placed' }) }));
      const publish = (event: CloudEvent) => Promise.all(replicas.map(({ runs }) => runs.publish(event)));
      await publish(order());
      await publish(order());
      await publish(order({ id: '2' }));
      await publish(order({ source: '/other-shop' }));
      expect(await names()).toEqual(['bill', 'bill', 'bill']);
      const madeAgain = withSourceSince(order(), new Date('2026-11-21T12:00:00Z'));
      await publish(madeAgain);
      await publish(madeAgain);
      expect(await names()).toHaveLength(4);
    });

    it('are kept from one workflow by its error, but not from the others', async () => {
      const { runs } = await startReplica({
        broken: on({ type: 'order.placed', data: '${ .total | keys }' }),
        bill: on({ type: 'order.placed' }),
      });
      await runs.publish(order());
      expect(await names()).toEqual(['bill']);
      expect(warnings()).toEqual([
        expect.stringMatching(/^the event order\.placed does not start the workflow broken: /),
      ]);
    });

    it('start what the definitions say now', async () => {
      const { runs, events, workflows } = await startReplica({ bill: on({ type: 'order.placed' }) });
      await runs.publish(order());
      workflows.splice(0, 1, ...scheduledWorkflows({ thank: on({ type: 'order.placed' }) }));
      events.emit('workflows.changed', { names: ['bill', 'thank'] });
      await runs.publish(order({ id: '2' }));
      expect(await names()).toEqual(['bill', 'thank']);
    });

    it('fail to be published when a start is not durable, and are made good by publishing again', async () => {
      const { runs } = await startReplica({ bill: on({ type: 'order.placed' }), thank: on({ type: 'order.placed' }) });
      const start = jest.spyOn(runs, 'start').mockRejectedValueOnce(new Error('the database is away'));
      await expect(runs.publish(order())).rejects.toThrow('the database is away');
      start.mockRestore();
      await runs.publish(order());
      expect(await names()).toEqual(['bill', 'thank']);
    });

    it('of the service are published again when the database fails meanwhile, with the same id', async () => {
      const { runs, events, service } = await startReplica({ bill: on({ type: 'memory.removed' }) });
      const publish = runs.publish.bind(runs);
      const published: string[] = [];
      jest.spyOn(runs, 'publish').mockImplementation(async (event) => {
        await publish(event);
        if (event.type === 'run.ended') return;
        published.push(event.id);
        if (published.length === 1) throw new DatabaseUnavailable('away', { cause: null, isLasting: false });
      });
      events.emit('memory.changed', { namespace: 'web', key: 'a', change: 'removed' });
      await service.delivered();
      expect(published).toEqual([published[0], published[0]]);
      expect(await names()).toEqual(['bill']);
    });

    it('start workflows again once the definitions can be read', async () => {
      const { runs, definitions } = await startReplica({ bill: on({ type: 'order.placed' }) });
      jest.spyOn(definitions, 'listEnabled').mockRejectedValueOnce(new Error('the database is away'));
      await expect(runs.publish(order())).rejects.toThrow('the database is away');
      await runs.publish(order());
      expect(await names()).toEqual(['bill']);
    });

    it('of ends do not start runs for ever', async () => {
      const { runs, service } = await startReplica({ ping: on({ type: 'run.ended' }) });
      await runs.start(called);
      for (let quiet = 0; quiet < 5;) {
        await service.delivered();
        const before = (await names()).length;
        await new Promise((resolve) => setTimeout(resolve, 20));
        quiet = (await names()).length === before && (await allEnded()) ? quiet + 1 : 0;
      }
      expect(await names()).toEqual(['origin', ...Array<string>(10).fill('ping')]);
      expect(warnings()).toEqual([
        'the event run.ended starts nothing: 10 runs led to it, each started by an event of the one before',
      ]);
    });

    it('are not sent for the ends of children and of tests', async () => {
      const { events, service, runs } = await startReplica({ ping: on({ type: 'run.ended' }) });
      const { id, name, client, status } = await runs.start({ ...called, isTest: true });
      events.emit('run.ended', { id, name, client, status, origin: 'parent' });
      for (let ended = false; !ended; await service.delivered()) {
        ended = await allEnded();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      expect(await names()).toEqual(['origin']);
    });

    it('of runs count the runs that led to them', async () => {
      const { runs } = await startReplica({ bill: on({ type: 'order.placed' }) });
      const emitted = new EmittedEvents(chains());
      const { id } = await runs.start(called);
      const first = await emitted.prepare(order({ chainlength: 99 }), id);
      expect(first['chainlength']).toBe(0);
      await runs.publish(first);
      const bill = (await runs.listPage({ name: 'bill', limit: 1 })).items[0]?.id ?? '';
      expect(await chains().find(bill)).toEqual({ length: 1, isTest: false });
      const child = { ...(await rowOf(bill)), id: `${bill}:/do/0`, parent: bill, idempotency_key: null };
      await database.insertInto('workflow_runs').values(child).execute();
      for (const run of [bill, child.id]) {
        expect(await emitted.prepare(order(), run)).toEqual({ ...order(), chainlength: 1 });
      }
      expect(await emitted.prepare(order(), 'nobody')).toEqual({ ...order(), chainlength: 0 });
    });

    it.each([ANSWER_EVENT, 'document.saved', 'run.ended'])('of the type %s are not emitted by runs', async (type) => {
      await expect(new EmittedEvents(chains()).prepare(order({ type }), 'r')).rejects.toThrow(WorkflowError);
    });

    it('report only the removal of what no longer exists', async () => {
      const { events, service, runs } = await startReplica({});
      const publish = jest.spyOn(runs, 'publish');
      events.emit('knowledge.changed', { id: 'd1', change: 'updated' });
      events.emit('memory.changed', { namespace: 'web', key: 'a', change: 'created' });
      events.emit('knowledge.changed', { id: 'd1', change: 'removed' });
      await service.delivered();
      expect(publish.mock.calls.map(([{ type }]) => type)).toEqual(['document.removed']);
    });

    it('of items are sent oldest first, though documents list the latest first', async () => {
      const { events, service, runs } = await startReplica({});
      const publish = jest.spyOn(runs, 'publish');
      events.emit('feed.items.arrived', { feed: 'news', items: ['new', 'older', 'oldest'], isBacklog: false });
      await service.delivered();
      expect(publish.mock.calls.map(([{ subject }]) => subject)).toEqual(['oldest', 'older', 'new']);
    });

    if (dialect === 'sqlite') {
      it('that come in a burst start a limited number of runs, and the log says so', async () => {
        // The end of a run is an event, too.
        const { promise: endOfRuns, resolve: endRuns } = Promise.withResolvers<null>();
        const schedules = { read: on({ type: 'feed.item.arrived' }) };
        const { events, service, clock } = await startReplica(schedules, () => endOfRuns);
        const items = Array.from({ length: 10_000 }, (_, n) => `item-${n}`);
        events.emit('feed.items.arrived', { feed: 'news', items, isBacklog: true });
        await service.delivered();
        expect(await names()).toHaveLength(1_000);
        expect(warnings()).toEqual([
          'events of the service have started 1000 runs of the workflow read within an hour: until it is over, they start no more',
          expect.stringMatching(/^4996 events not delivered to workflows/),
        ]);
        endRuns(null);
        await clock.advanceTo('2026-11-21T13:00:00Z', async () => undefined);
        events.emit('feed.items.arrived', { feed: 'news', items: ['one-more'], isBacklog: false });
        await service.delivered();
        expect(await names()).toHaveLength(1_001);
      });
    }

    const rowOf = (id: string) =>
      database.selectFrom('workflow_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  });
});
