import type { BlockResult, DurableSteps, Json } from '#open-workflow';
import type { Database } from '../../../database/database.js';
import { describeEachDatabase } from '../../../database/testing.js';
import { until } from '../../../../test/support/until.js';
import { testEngine } from '../contract/testing.js';
import { at, blockAt, newRun, WrittenPrograms } from '../testing.js';
import { engineOn } from './testing.js';

const FOREVER = { timeoutMs: 20_000, signal: new AbortController().signal };

const NOTHING: BlockResult = { output: null, context: null, next: 'continue' };

describeEachDatabase('the embedded engine', (open) => {
  testEngine(open, engineOn);

  /** Runs a program to its end, and returns how that is. */
  async function ended(program: (steps: DurableSteps) => Promise<Json>, database?: Database) {
    const { engine, runs } = await engineOn(database ?? (await open()), new WrittenPrograms({ large: program }));
    await engine.onApplicationBootstrap();
    const { id } = await runs.start(newRun('large'));
    const run = await runs.follow(id, FOREVER);
    await engine.beforeApplicationShutdown();
    return run;
  }

  it('goes on with everything that steps have returned, however much it is', async () => {
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

  it('begins many blocks in turns, and puts the run aside only when all of them have begun', async () => {
    const program = async (steps: DurableSteps): Promise<Json> => {
      const blocks = Array.from({ length: 100 }, (_, index) => blockAt(`block ${index}`));
      await steps.concurrent(at('all'), blocks, { compete: false, timeoutMs: null }, async ({ step }, inner) => {
        await inner.waitEvent(at(`${step.name} wait`), { with: { type: 'rain' } });
        return NOTHING;
      });
      return null;
    };
    const { engine, runs } = await engineOn(await open(), new WrittenPrograms({ large: program }));
    await engine.onApplicationBootstrap();
    const { id } = await runs.start(newRun('large'));
    await until(async () => (await runs.get(id)).status === 'waiting');
    expect(await runs.steps(id)).toHaveLength(100);
    await engine.beforeApplicationShutdown();
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
});

type Branch = (steps: DurableSteps, name: string) => Promise<unknown>;
