import type { Database } from '../../../platform/database/database.js';
import { describeEachDatabase } from '../../../platform/database/testing.js';
import { settingsOn } from '../../../platform/config/testing.js';
import { until } from '../../../../test/support/until.js';
import { engineOn } from '../engine/embedded/testing.js';
import { newRun, WrittenPrograms } from '../engine/testing.js';
import { WorkflowStore } from '../definitions/workflow.store.js';
import { RunHousekeeping } from './run-housekeeping.service.js';
import { RunStore } from './run.store.js';
import type { RunsService } from './runs.service.js';
import type { NewRun } from './run.js';

const DAY_MS = 86_400_000;
describeEachDatabase('runs', (open) => {
  let database: Database;
  let runs: RunsService;
  let close: () => Promise<void>;
  beforeEach(async () => {
    database = await open();
    const programs = new WrittenPrograms({
      quick: async () => 1,
      endless: async (steps) => {
        await steps.sleep({ name: 'nap', task: 'nap', attempt: 1 }, () => 100 * DAY_MS);
        return 1;
      },
    });
    const { engine, runs: service } = await engineOn(database, programs);
    await engine.onApplicationBootstrap();
    runs = service;
    close = () => engine.beforeApplicationShutdown();
  });
  afterEach(() => close());

  it('are found for the client that started them, and for no other', async () => {
    const { id } = await runs.start(newRun('quick'));
    expect(await runs.get(id, { name: 'ada' })).toMatchObject({ id });
    expect(await runs.get(id)).toMatchObject({ id });
    await expect(runs.get(id, { name: 'eve' })).rejects.toThrow(`There is no run ${id}`);
    await expect(runs.get('0'.repeat(32))).rejects.toThrow('There is no run');
  });

  it('are deleted when they ended longer ago than they are kept, and not before', async () => {
    const { id } = await runs.start(newRun('quick'));
    const { id: waiting } = await runs.start(newRun('endless'));
    await until(async () => (await runs.get(id)).endedAt !== null && (await runs.get(waiting)).status === 'waiting');
    const { endedAt } = await runs.get(id);
    const settings = await settingsOn();
    const housekeeping = new RunHousekeeping(new RunStore(database), settings);
    const after = (ms: number) => new Date((endedAt?.getTime() ?? 0) + ms);
    expect(await housekeeping.tick(after(30 * DAY_MS))).toBe(0);
    await settings.set('runs.retention_days', 31);
    expect(await housekeeping.tick(after(30 * DAY_MS + 1))).toBe(0);
    await settings.set('runs.retention_days', 30);
    expect(await housekeeping.tick(after(30 * DAY_MS + 1))).toBe(1);
    await expect(runs.get(id)).rejects.toThrow('There is no run');
    expect(await runs.steps(id)).toEqual([]);
    expect(await runs.get(waiting)).toMatchObject({ status: 'waiting' });
  });

  it('are kept while they are the last of a workflow, because its schedule may go by its end', async () => {
    const workflow = { name: 'quick', version: '1.0.0', document: '', source: 'admin', author: null } as const;
    await new WorkflowStore(database).save({ ...workflow, createdAt: new Date() }, { makeCurrent: true });
    const ended = async (change: Partial<NewRun> = {}) => {
      const { id } = await runs.start(newRun('quick', {}, change));
      await until(async () => (await runs.get(id)).endedAt !== null);
      return id;
    };
    const [early, last] = [await ended(), await ended()];
    const trial = await ended({ isTest: true });
    // Within one millisecond, the order would be random.
    for (const [second, id] of [early, last, trial].entries()) {
      const created_at = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
      await database.updateTable('workflow_runs').set({ created_at }).where('id', '=', id).execute();
    }
    const housekeeping = new RunHousekeeping(new RunStore(database), await settingsOn());
    const later = new Date(Date.now() + 31 * DAY_MS);
    expect(await housekeeping.tick(later)).toBe(2);
    expect(await runs.get(last)).toMatchObject({ id: last });
    const versions = () =>
      database.selectFrom('workflow_versions').select('version').where('name', '=', 'quick').execute();
    await new WorkflowStore(database).delete('quick');
    expect(await versions()).toEqual([{ version: '1.0.0' }]);
    expect(await housekeeping.tick(later)).toBe(1);
    expect(await versions()).toEqual([]);
  });
});
