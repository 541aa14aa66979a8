import { jest } from '@jest/globals';
import { CANCELLED_BY_CLIENT } from '#mcp-http';
import type { DurableSteps, Json } from '#open-workflow';
import { until } from '../../../../test/support/until.js';
import { ExecutionStopped } from '../../../core/skills/skill-execution.js';
import { callContext, skillsGround, skillsOn } from '../../../core/skills/testing.js';
import { memoryDatabase } from '../../../platform/database/testing.js';
import { Environment } from '../../../platform/environment/environment.js';
import { engineOn, LosableOwnership } from '../engine/embedded/testing.js';
import { at, newRun, WrittenPrograms } from '../engine/testing.js';
import { RunPages } from '../runs/run-pages.service.js';
import { RunCaller } from './run-caller.service.js';

const HOUR_MS = 3_600_000;

/** An engine on which a step of the run `outer` waits for the run `inner`. */
async function withCaller(inner: (steps: DurableSteps) => Promise<Json>, ownership?: LosableOwnership) {
  const outer = async (steps: DurableSteps): Promise<Json> => {
    const outcome = await steps.effect(at('call'), null, async ({ signal, idempotencyKey }) => {
      const step = { runId: steps.run.id, idempotencyKey };
      const output = await caller.callWithin(newRun('inner', {}, { idempotencyKey, depth: 1 }), step, signal);
      return JSON.stringify(output).includes('done');
    });
    return outcome.ok && outcome.value;
  };
  const programs = new WrittenPrograms({ inner, outer });
  const { engine, runs, answers, settings } = await engineOn(await memoryDatabase(), programs, ownership);
  const ground = await skillsGround();
  await ground.settings.set('mcp.tool_timeout_ms', HOUR_MS);
  const { limits } = skillsOn(ground);
  const caller = new RunCaller(runs, answers, limits, new RunPages(new Environment()));
  await engine.onApplicationBootstrap();
  const statusOf = async (name: string) => {
    const { items } = await runs.listPage({ limit: 200 });
    return [...new Set(items.filter((run) => run.name === name).map(({ status }) => status))];
  };
  return { engine, runs, settings, statusOf, caller };
}

describe('a run that a call waits for', () => {
  afterEach(() => jest.restoreAllMocks());

  const long = async (steps: DurableSteps) => {
    await steps.sleep(at('nap'), () => 600_000);
    return 'done';
  };

  it.each([
    [
      'is cancelled when its client cancels the call',
      new ExecutionStopped('cancelled', CANCELLED_BY_CLIENT),
      'cancelled',
    ],
    ['is cancelled when its client cancels the call of a long skill', CANCELLED_BY_CLIENT, 'cancelled'],
    ['continues when the client is lost', new ExecutionStopped('cancelled', 'The caller went away'), 'waiting'],
    ['continues when the time is up', new ExecutionStopped('timeout'), 'waiting'],
  ] as const)('%s', async (_, reason, status) => {
    const { engine, statusOf, caller } = await withCaller(long);
    const controller = new AbortController();
    const call = { run: newRun('inner'), isBackground: false, tasks: [] };
    const ended = expect(caller.call(call, callContext({ signal: controller.signal }))).rejects.toBe(reason);
    await until(async () => (await statusOf('inner')).join() === 'waiting');
    controller.abort(reason);
    await ended;
    expect(await statusOf('inner')).toEqual([status]);
    await engine.beforeApplicationShutdown();
  });

  it('is named before the time is up, however long its start took', async () => {
    const { engine, runs, caller } = await withCaller(long);
    const [start, now] = [runs.start.bind(runs), performance.now.bind(performance)];
    jest.spyOn(runs, 'start').mockImplementation(async (...run) => {
      const started = await start(...run);
      jest.spyOn(performance, 'now').mockImplementation(() => now() + HOUR_MS);
      return started;
    });
    const call = { run: newRun('inner'), isBackground: false, tasks: [] };
    expect(await caller.call(call, callContext())).toMatchObject({ runId: expect.any(String) as unknown });
    jest.restoreAllMocks(); // the engine stops by the real clock
    await engine.beforeApplicationShutdown();
  });
});

describe('a run that waits in a step for another one', () => {
  it('takes no place from it, however many there are', async () => {
    const done = async (steps: DurableSteps) => {
      await steps.effect(at('work'), null, () => new Promise((resolve) => setImmediate(resolve, null)));
      return 'done';
    };
    const { engine, runs, settings, statusOf } = await withCaller(done);
    const count = 3 * settings.get('workflows.concurrency');
    await Promise.all(Array.from({ length: count }, () => runs.start(newRun('outer'))));
    await until(async () => (await statusOf('outer')).join() === 'completed');
    expect(await statusOf('inner')).toEqual(['completed']);
    await engine.beforeApplicationShutdown();
  });

  it('waits for the same run when it is executed again, while that continues', async () => {
    const ownership = new LosableOwnership();
    const slow = async (steps: DurableSteps) => {
      await steps.sleep(at('nap'), () => 1_000);
      return 'done';
    };
    const { engine, runs, statusOf } = await withCaller(slow, ownership);
    const { id } = await runs.start(newRun('outer'));
    await until(async () => (await statusOf('inner')).length > 0);
    ownership.lose();
    await engine.tick();
    await until(async () => (await runs.get(id)).status === 'completed');
    expect((await runs.get(id)).output).toBe(true);
    expect(await statusOf('inner')).toEqual(['completed']);
    await engine.beforeApplicationShutdown();
  });

  it('takes it along when it is cancelled', async () => {
    const long = async (steps: DurableSteps) => {
      await steps.sleep(at('nap'), () => 600_000);
      return 'done';
    };
    const { engine, runs, statusOf } = await withCaller(long);
    const { id } = await runs.start(newRun('outer'));
    await until(async () => (await statusOf('inner')).length > 0);
    await runs.cancel(id);
    await until(async () => (await statusOf('inner')).join() === 'cancelled');
    await engine.beforeApplicationShutdown();
  });
});
