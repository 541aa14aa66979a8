import { standardError } from '#open-workflow';
import { ADMIN_CLIENT } from '../../../access/audit/audit-entry.js';
import { memoryDatabase } from '../../../platform/database/testing.js';
import { until } from '../../../../test/support/until.js';
import { engineOn } from '../engine/embedded/testing.js';
import { newRun, WrittenPrograms } from '../engine/testing.js';
import type { ProgramName } from './execution/program.js';
import { Repeats } from './repeats.service.js';
import type { Run } from './run.js';
import { RunStore } from './run.store.js';

class DeletablePrograms extends WrittenPrograms {
  readonly deleted = new Set<string>();
  /** Null = the version of each run. */
  current: string | null = null;

  override currentOf(program: ProgramName): Promise<ProgramName> {
    return Promise.resolve({ ...program, version: this.current ?? program.version });
  }

  override eventTypesOf(program: { name: string }): Promise<string[]> {
    if (this.deleted.has(program.name)) throw standardError('configuration', `There is no workflow ${program.name}.`);
    return Promise.resolve([]);
  }
}

describe('runs that are started again', () => {
  it('are all that can be, beside those of a workflow that is deleted', async () => {
    const database = await memoryDatabase();
    const programs = new DeletablePrograms({ kept: () => Promise.resolve(1), gone: () => Promise.resolve(2) });
    const { engine, runs } = await engineOn(database, programs);
    await engine.onApplicationBootstrap();
    const repeats = new Repeats(runs, new RunStore(database), programs);
    const started: Run[] = [];
    for (const name of ['kept', 'gone', 'kept']) started.push(await runs.start(newRun(name)));
    await until(async () => (await Promise.all(started.map(({ id }) => runs.get(id)))).every(({ endedAt }) => endedAt));
    const rows = database.selectFrom('workflow_runs').selectAll().where('name', '=', 'kept').limit(1);
    const parent = await rows.executeTakeFirstOrThrow();
    // It runs again as a part of its parent.
    const child = { ...parent, id: `${parent.id}:/do/0`, parent: parent.id };
    await database.insertInto('workflow_runs').values(child).execute();
    programs.deleted.add('gone');
    const gone = started[1]?.id ?? '';
    const problem = `The run ${gone} cannot be run again: There is no workflow gone.`;
    await expect(repeats.repeat(gone)).rejects.toMatchObject({ kind: 'conflict', message: problem });
    expect(await repeats.repeatAll({})).toEqual({ started: 2, failed: 1, problem });
    programs.current = '2.0.0';
    expect(await repeats.repeatAll({ status: 'completed' }, 'current')).toMatchObject({ failed: 1 });
    const versions = (await runs.listPage({ name: 'kept', limit: 10 })).items.map(({ version }) => version);
    expect(versions.filter((version) => version === '2.0.0').length).toBeGreaterThanOrEqual(2);
    await engine.beforeApplicationShutdown();
    await database.destroy();
  });

  it('are not trials of proposals, which no administrator may have read', async () => {
    const database = await memoryDatabase();
    const programs = new WrittenPrograms({ draft: () => Promise.resolve(1) });
    const { engine, runs } = await engineOn(database, programs);
    const repeats = new Repeats(runs, new RunStore(database), programs);
    const { id: tried } = await runs.start({ ...newRun('draft'), isTest: true });
    const problem = `The run ${tried} cannot be run again: it tries a proposal of ada. Read the workflow, enable it, and start it instead.`;
    await expect(repeats.repeat(tried)).rejects.toMatchObject({ kind: 'conflict', message: problem });
    expect(await repeats.repeatAll({ name: 'draft' })).toEqual({ started: 0, failed: 1, problem });
    const { id: own } = await runs.start({ ...newRun('draft'), client: ADMIN_CLIENT, isTest: true });
    expect(await repeats.repeat(own)).toMatchObject({ isTest: true, client: 'admin' });
    await engine.beforeApplicationShutdown();
    await database.destroy();
  });
});
