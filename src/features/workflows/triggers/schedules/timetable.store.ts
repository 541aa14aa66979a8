import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database.js';
import type { FixedTimetable } from './schedule.rules.js';

/** Records up to which time the timetables of workflows are done, so that a restart forgets none of their times. */
@Injectable()
export class TimetableStore {
  constructor(private readonly database: Database) {}

  /** Returns up to which time a timetable is done: until now when it is new, or another than before. */
  async takeUp(workflow: string, timetable: FixedTimetable, now: Date): Promise<Date> {
    const row = { workflow, kind: timetable.kind, timetable: JSON.stringify(timetable), done_until: now.toISOString() };
    await this.database
      .insertInto('workflow_timetables')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['workflow', 'kind'])
          .doUpdateSet({ timetable: row.timetable, done_until: row.done_until })
          .where('workflow_timetables.timetable', '<>', row.timetable),
      )
      .execute();
    const known = await this.rowOf(workflow, timetable).select('done_until').executeTakeFirst();
    return known ? new Date(known.done_until) : now; // removed in the meantime by a replica that knows less
  }

  /** Notes that a timetable is done up to a time, unless it is done for longer. */
  async advance(workflow: string, timetable: FixedTimetable, until: Date): Promise<void> {
    const done_until = until.toISOString();
    await this.database
      .updateTable('workflow_timetables')
      .set({ done_until })
      .where('workflow', '=', workflow)
      .where('kind', '=', timetable.kind)
      .where('timetable', '=', JSON.stringify(timetable))
      .where('done_until', '<', done_until)
      .execute();
  }

  /** Forgets the timetables of all other workflows: should they come back, they begin anew. */
  async keepOnly(workflows: readonly string[]): Promise<void> {
    await this.database
      .deleteFrom('workflow_timetables')
      .$if(workflows.length > 0, (query) => query.where('workflow', 'not in', workflows))
      .execute();
  }

  private rowOf(workflow: string, { kind }: FixedTimetable) {
    return this.database.selectFrom('workflow_timetables').where('workflow', '=', workflow).where('kind', '=', kind);
  }
}
