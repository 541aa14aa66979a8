import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database.js';
import type { FixedTimetable } from './schedule.rules.js';

/** Records up to which time the timetables of workflows are processed, so that a restart loses no times. */
@Injectable()
export class TimetableStore {
  constructor(private readonly database: Database) {}

  /** Returns up to which time a timetable is processed: until now when it is new or has changed. */
  async register(workflow: string, timetable: FixedTimetable, now: Date): Promise<Date> {
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
    return known ? new Date(known.done_until) : now; // removed in the meantime by a replica that does not know the workflow yet
  }

  /** Records that a timetable is processed up to a time, unless it already is for longer. */
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

  /** Deletes the timetables of all other workflows: if these come back, they start over. */
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
