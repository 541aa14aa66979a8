import { type DurableSteps, type Json, WorkflowError } from '#open-workflow';
import { sql } from 'kysely';
import type { Database } from '../../../../platform/database/database.js';
import { dialectOf } from '../../../../platform/sql/dialect.js';
import { at, newRun, WrittenPrograms } from '../testing.js';
import { FOREVER, type Start } from './world.testing.js';

const REFUSED = /The database refuses what the run writes, and would do so again: /;

/** Tests runs whose writes the database refuses. */
export function testRefusals(open: () => Promise<Database>, start: Start): void {
  const effect = async (steps: DurableSteps, name: string): Promise<Json> => {
    const outcome = await steps.effect(at(name), null, async () => name);
    return outcome.ok ? outcome.value : null;
  };
  const programs = new WrittenPrograms({
    step: (steps) => effect(steps, 'unwanted'),
    output: async () => 'unwanted',
    sleep: async (steps) => (await steps.sleep(at('unwanted'), () => 10)).at,
    handled: async (steps) => {
      const found = await effect(steps, 'unwanted').catch((error: unknown) => error);
      return [await effect(steps, 'after'), found instanceof WorkflowError];
    },
  });

  async function endOf(name: string) {
    const database = await open();
    await refuse(database, 'workflow_steps', `name = 'unwanted'`);
    await refuse(database, 'workflow_runs', `coalesce(output, '') = '"unwanted"'`);
    const { runs } = await start(programs, database);
    const { id } = await runs.start(newRun(name));
    const ended = await runs.follow(id, FOREVER);
    return ended;
  }

  describe('a run that writes what the database refuses', () => {
    it.each(['step', 'sleep', 'output'])('fails, and says so: %s', async (name) => {
      const { status, error } = await endOf(name);
      expect({ status, detail: error?.detail }).toEqual({
        status: 'failed',
        detail: expect.stringMatching(REFUSED) as string,
      });
    });

    it('can handle the error', async () => {
      expect(await endOf('handled')).toMatchObject({ status: 'completed', output: ['after', true] });
    });
  });
}

/** Makes a database refuse rows of a table. */
async function refuse(database: Database, table: string, rows: string): Promise<void> {
  if (dialectOf(database) === 'postgres')
    return void (await sql.raw(`alter table ${table} add check (not (${rows}))`).execute(database));
  const condition = rows.replace(/name|output/, 'new.$&');
  for (const change of ['insert', 'update'])
    await sql
      .raw(
        `create trigger refuse_${change}_${table} before ${change} on ${table} when ${condition}
          begin select raise(abort, 'it is unwanted'); end`,
      )
      .execute(database);
}
