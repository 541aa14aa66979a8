import type { DurableSteps, Json } from '#open-workflow';
import type { Database } from '../../../../platform/database/database.js';
import { Repeats } from '../../runs/repeats.service.js';
import { RunStore } from '../../runs/run.store.js';
import { at, blockAt, newRun, WrittenPrograms } from '../testing.js';
import { FOREVER, type Start } from './world.testing.js';

const TOGETHER = { compete: false, timeoutMs: null };

/** Tests how runs are repeated from a step. */
export function testRepeats(open: () => Promise<Database>, start: Start): void {
  const done: string[] = [];
  const act = async (steps: DurableSteps, name: string): Promise<Json> => {
    await steps.effect(at(name), null, async () => done.push(name));
    return name;
  };
  const forked = async ({ step }: { step: { name: string } }, steps: DurableSteps) => {
    for (const name of ['one', 'two']) await act(steps, `${step.name}/${name}`);
    return { output: null, context: null, next: 'continue' } as const;
  };
  const programs = new WrittenPrograms(
    {
      forking: async (steps) => {
        await act(steps, 'before');
        await steps.concurrent(at('fork'), [blockAt('left'), blockAt('right')], TOGETHER, forked);
        return act(steps, 'after');
      },
    },
    {},
    { forking: forked },
  );

  describe('a run that is repeated from a step', () => {
    /** Executes a run, sets the times of its steps back in reverse order, and repeats the run from a step. */
    async function repeatedFrom(step: string): Promise<{ id: string; again: string[] }> {
      const database = await open();
      const { runs } = await start(programs, database);
      const { id } = await runs.start(newRun('forking'));
      await runs.follow(id, FOREVER);
      for (const [index, { name }] of (await runs.steps(id)).entries()) {
        const time = new Date(Date.UTC(2026, 0, 1) - index * 60_000).toISOString();
        await database
          .updateTable('workflow_steps')
          .set({ started_at: time, ended_at: time })
          .where('run_id', '=', id)
          .where('name', '=', name)
          .execute();
      }
      done.splice(0);
      const repeats = new Repeats(runs, new RunStore(database), programs);
      const repeated = await repeats.repeatFrom(id, { step, input: {}, version: 'own' });
      expect(await runs.follow(repeated.id, FOREVER)).toMatchObject({ status: 'completed', output: 'after' });
      const [first] = await runs.steps(id);
      expect(first).toMatchObject({ name: 'before' });
      return { id, again: done.splice(0) };
    }

    it('does none of the steps before it again, though the clock was set back meanwhile', async () => {
      expect((await repeatedFrom('after')).again).toEqual(['after']);
    });

    it('does what follows again, and no step before it: a step within a block', async () => {
      const { again } = await repeatedFrom('left/two');
      expect(again.filter((name) => !name.startsWith('right'))).toEqual(['left/two', 'after']);
    });

    it('does what follows again, and no step before it: a block as a whole', async () => {
      const { again } = await repeatedFrom('fork');
      expect(again.at(-1)).toBe('after');
      expect(again.slice(0, -1).sort()).toEqual(['left/one', 'left/two', 'right/one', 'right/two']);
    });
  });
}
