import { once } from 'node:events';
import { connect } from 'node:http2';
import { Logger } from '@nestjs/common';
import { ANSWER_EVENT, type BlockRef, type BlockResult, type DurableSteps } from '#open-workflow';
import type { Database } from '../../../../platform/database/database.js';
import { memoryDatabase } from '../../../../platform/database/testing.js';
import { freePort } from '../../../../../test/harness/free-port.js';
import { describeWithRestate, RestateServer } from '../../../../../test/support/restate-server.js';
import { until } from '../../../../../test/support/until.js';
import { ON_RESTATE } from '../../runs/execution/claimed-run.js';
import { at, blockAt, newRun, startedRun, WrittenPrograms } from '../testing.js';
import { RestateApi } from './restate-api.js';
import { BLOCKS } from './services.js';
import { engineOnRestate } from './testing.js';

const FOREVER = { timeoutMs: 250_000, signal: new AbortController().signal };
const PUBLIC_KEY = 'publickeyv1_w7YHemBctH5Ck2nQRQ47iBBqhNHy4FV7t2Usbye2A6f';

describeWithRestate('what Restate has missed', () => {
  let server: RestateServer;
  let port: number;
  let database: Database | undefined;
  let world: ReturnType<typeof engineOnRestate> | undefined;
  let acted = 0;

  const sleeper = async ({ step }: BlockRef, steps: DurableSteps): Promise<BlockResult> => {
    await steps.sleep(step, () => 600_000);
    return { output: null, context: null, next: 'continue' };
  };
  const programs = new WrittenPrograms(
    {
      short: async (steps) => {
        await steps.effect(at('a'), null, async () => 'a');
        return 'done';
      },
      suspended: async (steps, run) => {
        const suspend = () => world?.stores.states.suspend(run, null, null, new Date());
        return steps.effect(at('a'), null, async () => {
          acted += 1;
          return (await suspend()) ?? null;
        });
      },
      limited: async (steps) => {
        const limits = { compete: false, timeoutMs: 600_000 };
        return (await steps.concurrent(at('/a/timeout'), [blockAt('/a')], limits, sleeper)).kind;
      },
      asker: async (steps) => {
        const question = { message: 'Go?', schema: { type: 'object', properties: {} } };
        const wait = { with: { type: ANSWER_EVENT, subject: 'ask' }, question };
        return (await steps.waitEvent(at('ask'), wait)).event.data ?? null;
      },
    },
    {},
    { limited: sleeper },
  );

  beforeAll(async () => {
    Logger.overrideLogger(false);
    server = await RestateServer.start('500ms');
  });
  afterAll(() => server.stop());
  beforeEach(async () => void (port = await freePort()));
  afterEach(async () => {
    await world?.engine.beforeApplicationShutdown();
    await database?.destroy();
  });

  async function engineNow(keys?: string) {
    database = await memoryDatabase();
    return (world = engineOnRestate(database, programs, server, port, keys));
  }

  it('ends: a run with a block that an operator of the cluster has cancelled', async () => {
    const { engine, runs } = await engineNow();
    await engine.onApplicationBootstrap();
    const { id } = await runs.start(newRun('limited'));
    const isAsleep = async () => (await runs.steps(id)).filter(({ status }) => status === 'waiting').length === 2;
    await until(isAsleep);
    const [block = ''] = (await server.listOpen('target_service_name', BLOCKS.service)) ?? [];
    await new RestateApi({ ingress: server.ingressUrl, admin: server.adminUrl }).cancel(block);
    expect(await runs.follow(id, FOREVER)).toMatchObject({ status: 'completed', output: 'failed' });
    expect(Object.fromEntries((await runs.steps(id)).map(({ name, status }) => [name, status]))).toEqual({
      '/a': 'cancelled',
      '/a/timeout': 'completed',
    });
  });

  it('is done once: a step of a run that a block puts aside meanwhile, in its last moment', async () => {
    acted = 0;
    const { engine, runs } = await engineNow();
    await engine.onApplicationBootstrap();
    const { id } = await runs.start(newRun('suspended'));
    expect(await runs.follow(id, FOREVER)).toMatchObject({
      status: 'completed',
      output: { ok: true, value: 'suspended' },
    });
    expect(acted).toBe(1);
  });

  it('is executed all the same: a run that was only inserted', async () => {
    const { engine, runs, stores } = await engineNow();
    const run = { ...startedRun('only-inserted', 'short'), partition: ON_RESTATE, status: 'pending' } as const;
    await stores.states.insert(run, new Date(Date.now() - 60_000));
    await engine.onApplicationBootstrap();
    expect(await runs.follow('only-inserted', FOREVER)).toMatchObject({ status: 'completed', output: 'done' });
  });

  it('goes on all the same: a step whose answer is only in the table', async () => {
    const { engine, runs, stores } = await engineNow();
    await engine.onApplicationBootstrap();
    await engine.start(startedRun('answered', 'asker'));
    expect(await runs.follow('answered', FOREVER)).toMatchObject({ status: 'waiting', questions: 1 });
    const answer = { action: 'accept', content: {}, by: 'eve' };
    const event = { specversion: '1.0', id: '1', source: 'test', type: ANSWER_EVENT, data: answer } as const;
    await stores.events.answer('answered', 'ask', event, new Date());
    expect(await runs.follow('answered', FOREVER)).toMatchObject({ status: 'completed', output: { by: 'eve' } });
  });

  it('ends all the same: a run that was cancelled while the cluster was away', async () => {
    const { engine, runs } = await engineNow();
    await engine.onApplicationBootstrap();
    await engine.start(startedRun('cancelled', 'asker'));
    await runs.follow('cancelled', FOREVER);
    await server.kill();
    await runs.cancel('cancelled');
    expect(await runs.get('cancelled')).toMatchObject({ status: 'cancelled', questions: 0 });
    await server.run();
    await until(async () => (await server.countOpen('cancelled')) === 0);
  });

  it('ends all the same: a run that was cancelled while the cluster was away, by a process that has stopped since', async () => {
    const { engine, runs } = await engineNow();
    await engine.onApplicationBootstrap();
    await engine.start(startedRun('left', 'asker'));
    await runs.follow('left', FOREVER);
    await until(async () => (await server.listOpen('status', 'suspended'))?.length === 1);
    await server.kill();
    await runs.cancel('left');
    await engine.beforeApplicationShutdown();
    await server.run();
    if (database) world = engineOnRestate(database, programs, server, port);
    await world?.engine.onApplicationBootstrap();
    await until(async () => (await server.countOpen('left')) === 0);
  });

  it('is refused when it is not signed by a cluster that is known', async () => {
    const { engine } = await engineNow(PUBLIC_KEY);
    await engine.onApplicationBootstrap();
    const session = connect(`http://127.0.0.1:${port}`);
    const request = session.request({ ':method': 'POST', ':path': '/invoke/agent-service-runs/execute' });
    const [headers] = (await once(request.end(), 'response')) as [Record<string, unknown>];
    expect(headers[':status']).toBe(401);
    session.destroy();
  });
});
