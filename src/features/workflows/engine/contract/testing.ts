import { setTimeout as pause } from 'node:timers/promises';
import {
  ANSWER_EVENT,
  type BlockRef,
  type BlockResult,
  type DurableSteps,
  type Json,
  type JsonObject,
  standardError,
} from '#open-workflow';
import type { Database } from '../../../../platform/database/database.js';
import { until } from '../../../../../test/support/until.js';
import type { Programs } from '../../runs/execution/program.js';
import { at, blockAt, newRun, WrittenPrograms } from '../testing.js';
import { testListening } from './listening.testing.js';
import { testProgress } from './progress.testing.js';
import { testRefusals } from './refusals.testing.js';
import { testRepeats } from './repeats.testing.js';
import { testRequests } from './requests.testing.js';
import { testTimeouts } from './timeouts.testing.js';
import { type EngineOn, FOREVER, type Start, startedAfter } from './world.testing.js';

const valueOf = async (outcome: ReturnType<DurableSteps['effect']>): Promise<Json> => {
  const result = await outcome;
  if (!result.ok) throw standardError('runtime', result.error.detail ?? '');
  return result.value;
};

const racer = async ({ step }: BlockRef, steps: DurableSteps): Promise<BlockResult> => {
  await steps.sleep(at(`${step.name}/nap`), () => (step.name === 'slow' ? 600_000 : 300));
  const output = await valueOf(steps.effect(at(`${step.name}/end`), null, async () => step.name));
  return { output, context: null, next: 'continue' };
};

/**
 * The contract tests of every engine.
 * @param open opens a new database @param engineOn makes an engine that has not been started
 */
export function testEngine(open: () => Promise<Database>, engineOn: EngineOn): void {
  describe('as every engine', () => {
    const start = startedAfter(async (programs: Programs, database?: Database) =>
      engineOn(database ?? (await open()), programs),
    );
    testSteps(open, start);
    testTimeouts(open, start);
    testRequests(start);
    testProgress(start);
    testListening(open, start);
    testRepeats(open, start);
    testRefusals(open, start);
  });
}

function testSteps(open: () => Promise<Database>, start: Start): void {
  /** Everything that steps have done, in order. */
  const done: string[] = [];
  const act = (steps: DurableSteps, name: string, value: Json = name) =>
    valueOf(
      steps.effect(at(name), null, async () => {
        done.push(name);
        return value;
      }),
    );

  const programs = new WrittenPrograms(
    {
      three: async (steps) => [await act(steps, 'a'), await act(steps, 'b'), await act(steps, 'c')],
      sleeper: async (steps, run) => {
        await act(steps, 'before');
        await steps.sleep(at('nap'), () => ((run.input as JsonObject)['nap'] as number | undefined) ?? 60);
        return act(steps, 'after');
      },
      listener: async (steps) => {
        const { event } = await steps.waitEvent(at('listen'), { with: { type: 'rain' } });
        return event.data ?? null;
      },
      late: async (steps) => {
        await steps.sleep(at('nap'), () => 300);
        const { event } = await steps.waitEvent(at('listen'), { with: { type: 'rain' } });
        return event.data ?? null;
      },
      asker: async (steps) => {
        const question = { message: 'Go?', schema: { type: 'object', properties: { go: { type: 'boolean' } } } };
        const wait = { with: { type: ANSWER_EVENT, subject: 'ask' }, question };
        return (await steps.waitEvent(at('ask'), wait)).event.data ?? null;
      },
      parent: async (steps, run) => {
        const call = { namespace: 'test', name: 'sleeper', version: '1.0.0', input: run.input };
        return valueOf(steps.child(at('child'), call, { await: true }));
      },
      parentOfFailing: async (steps) => {
        const call = { namespace: 'test', name: 'failing', version: '1.0.0', input: {} };
        return valueOf(steps.child(at('child'), call, { await: true }));
      },
      endless: async (steps) => {
        const call = { namespace: 'test', name: 'endless', version: '1.0.0', input: {} };
        return valueOf(steps.child(at('child'), call, { await: true }));
      },
      failing: async (steps) => {
        await act(steps, 'a');
        throw standardError('validation', 'no good', { instance: '/do/0/a' });
      },
      race: async (steps, run) => {
        const limits = run.input as { compete: boolean; timeoutMs: number | null };
        const outcome = await steps.concurrent(at('race'), [blockAt('fast'), blockAt('slow')], limits, racer);
        await steps.sleep(at('later'), () => 20);
        return outcome.kind;
      },
    },
    { listener: ['rain'], late: ['rain'] },
    { race: racer },
  );

  const started = (database?: Database) => start(programs, database);
  beforeEach(() => done.splice(0));

  it('runs the steps once, and keeps what they returned', async () => {
    const { runs } = await started();
    const { id } = await runs.start(newRun('three'));
    expect(await runs.follow(id, FOREVER)).toMatchObject({ status: 'completed', output: ['a', 'b', 'c'] });
    expect(done).toEqual(['a', 'b', 'c']);
    expect((await runs.steps(id)).map(({ name, status, output }) => [name, status, output])).toEqual([
      ['a', 'completed', 'a'],
      ['b', 'completed', 'b'],
      ['c', 'completed', 'c'],
    ]);
  });

  it('suspends a run while it sleeps, and does nothing twice', async () => {
    const { runs } = await started();
    const { id } = await runs.start(newRun('sleeper'));
    expect(await runs.follow(id, FOREVER)).toMatchObject({ status: 'completed', output: 'after' });
    expect(done).toEqual(['before', 'after']);
  });

  it('hands over an event, also one that came before it was waited for, and one event to one wait', async () => {
    const { runs } = await started();
    const [first, late] = [await runs.start(newRun('listener')), await runs.start(newRun('late'))];
    const rain = (id: string) => runs.publish({ specversion: '1.0', id, source: 'sky', type: 'rain', data: { id } });
    await rain('one');
    await rain('one');
    expect(await runs.follow(first.id, FOREVER)).toMatchObject({ status: 'completed', output: { id: 'one' } });
    expect(await runs.follow(late.id, FOREVER)).toMatchObject({ status: 'completed', output: { id: 'one' } });
  });

  it('asks a person, takes one answer that fits, and refuses others', async () => {
    const { runs, answers } = await started();
    const { id } = await runs.start(newRun('asker'));
    expect(await runs.follow(id, FOREVER)).toMatchObject({ endedAt: null, questions: 1 });
    expect(await runs.questions(id)).toMatchObject([{ step: 'ask', question: { message: 'Go?' } }]);
    const answer = (content: JsonObject) => answers.give(id, 'ask', { action: 'accept', content, by: 'eve' });
    await expect(answer({ go: 'perhaps' })).rejects.toThrow('The answer does not fit the question');
    await answer({ go: true });
    expect(await runs.follow(id, FOREVER)).toMatchObject({
      status: 'completed',
      output: { action: 'accept', content: { go: true }, by: 'eve' },
    });
    await expect(answer({ go: false })).rejects.toThrow('does not wait for an answer');
  });

  it('waits for a child run, and passes on its result', async () => {
    const { runs } = await started();
    const { id } = await runs.start(newRun('parent'));
    expect(await runs.follow(id, FOREVER)).toMatchObject({ status: 'completed', output: 'after' });
    const [step] = await runs.steps(id);
    expect(await runs.get(step?.child ?? '')).toMatchObject({ parent: id, status: 'completed', client: 'ada' });
  });

  it('passes on the error of a child run, which says where that run failed', async () => {
    const { runs } = await started();
    const { id } = await runs.start(newRun('parentOfFailing'));
    const { status, error } = await runs.follow(id, FOREVER);
    const [step] = await runs.steps(id);
    expect({ status, detail: error?.detail }).toEqual({
      status: 'failed',
      detail: `no good (at /do/0/a of run://${step?.child})`,
    });
    expect(error).not.toHaveProperty('instance');
  });

  it('ends a workflow that calls itself without end', async () => {
    const { runs } = await started();
    const { id } = await runs.start(newRun('endless'));
    const ended = await runs.follow(id, FOREVER);
    expect(ended).toMatchObject({ status: 'failed' });
    expect(ended.error?.detail).toContain('at most 20 deep');
  });

  it('keeps the error of a run that fails', async () => {
    const { runs } = await started();
    const { id } = await runs.start(newRun('failing'));
    expect(await runs.follow(id, FOREVER)).toMatchObject({
      status: 'failed',
      error: { status: 400, detail: 'no good', instance: '/do/0/a' },
    });
  });

  it.each([
    ['won', { compete: true, timeoutMs: null }],
    ['timeout', { compete: false, timeoutMs: 50 }],
  ])('decides once how blocks end: %s', async (kind, limits) => {
    const { runs } = await started();
    const { id } = await runs.start(newRun('race', limits));
    expect(await runs.follow(id, FOREVER)).toMatchObject({ status: 'completed', output: kind });
    // The step may not have started before the timeout.
    const slow = (await runs.steps(id)).filter(({ name }) => name === 'slow/nap').map(({ status }) => status);
    expect(slow).toEqual(slow.map(() => 'cancelled'));
  });

  it('starts one run for one idempotency key', async () => {
    const { runs } = await started();
    const start = () => runs.start(newRun('three', {}, { idempotencyKey: 'k' }));
    const ids = (await Promise.all([start(), start(), start()])).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
  });

  it('cancels a run that waits', async () => {
    const { runs } = await started();
    const { id } = await runs.start(newRun('asker'));
    await runs.cancel(id);
    await runs.cancel(id);
    expect(await runs.get(id)).toMatchObject({ status: 'cancelled', questions: 0 });
    expect((await runs.steps(id)).every(({ status }) => status === 'cancelled')).toBe(true);
  });

  it('cancels a run with the child that it waits for, and reports the end of each once', async () => {
    const { runs, sent } = await started();
    const { id } = await runs.start(newRun('parent', { nap: 600_000 }));
    const childOf = async () => (await runs.steps(id))[0]?.child ?? null;
    await until(async () => (await childOf()) !== null);
    const child = (await childOf()) ?? '';
    await runs.cancel(id);
    await runs.cancel(id);
    expect([await runs.get(id), await runs.get(child)]).toMatchObject([
      { status: 'cancelled' },
      { status: 'cancelled' },
    ]);
    expect(sent.filter(([name]) => name === 'run.ended').map(([, event]) => event)).toEqual([
      { id, name: 'parent', client: 'ada', origin: 'call', status: 'cancelled' },
      { id: child, name: 'sleeper', client: 'ada', origin: 'parent', status: 'cancelled' },
    ]);
  });

  it('continues a run after a restart where it was', async () => {
    const database = await open();
    const before = await started(database);
    const ids = [];
    for (const name of ['sleeper', 'listener', 'asker', 'parent', 'late']) {
      ids.push((await before.runs.start(newRun(name))).id);
    }
    // The question must be open before it can be answered; the others may be anywhere.
    expect(await before.runs.follow(ids[2] ?? '', FOREVER)).toMatchObject({ questions: 1 });
    await pause(20);
    await before.engine.beforeApplicationShutdown();
    const after = await started(database);
    await after.runs.publish({ specversion: '1.0', id: '1', source: 'sky', type: 'rain', data: 1 });
    await after.answers.give(ids[2] ?? '', 'ask', { action: 'decline', content: null, by: 'eve' });
    for (const id of ids) {
      expect(await after.runs.follow(id, FOREVER)).toMatchObject({ status: 'completed' });
    }
    expect(done.filter((name) => name === 'before')).toHaveLength(2);
    expect(done.filter((name) => name === 'after')).toHaveLength(2);
  });
}
