import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database.js';
import { insertIfAbsent } from '../../../../platform/database/new-row.table.js';

/** Records the times of timetables for which workflows were started. */
@Injectable()
export class TickStore {
  constructor(private readonly database: Database) {}

  async add(workflow: string, tick: Date): Promise<void> {
    await insertIfAbsent(this.database, 'workflow_ticks', { workflow, tick: tick.toISOString() });
  }

  /** Returns whether the workflow was started for this time. */
  async has(workflow: string, tick: Date): Promise<boolean> {
    const row = await this.database
      .selectFrom('workflow_ticks')
      .select('tick')
      .where('workflow', '=', workflow)
      .where('tick', '=', tick.toISOString())
      .executeTakeFirst();
    return row !== undefined;
  }

  async prune(before: Date): Promise<void> {
    await this.database.deleteFrom('workflow_ticks').where('tick', '<', before.toISOString()).execute();
  }
}
