import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database.js';

/** Records at which times of their timetables workflows were started. */
@Injectable()
export class TickStore {
  constructor(private readonly database: Database) {}

  async add(workflow: string, tick: Date): Promise<void> {
    await this.database
      .insertInto('workflow_ticks')
      .values({ workflow, tick: tick.toISOString() })
      .onConflict((conflict) => conflict.columns(['workflow', 'tick']).doNothing())
      .execute();
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

  /** Returns the last time for which the workflow was started; null = none. */
  async findLast(workflow: string): Promise<Date | null> {
    const row = await this.database
      .selectFrom('workflow_ticks')
      .select('tick')
      .where('workflow', '=', workflow)
      .orderBy('tick', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row ? new Date(row.tick) : null;
  }

  /** Deletes the ticks before a time, except the last one of each workflow. */
  async prune(before: Date): Promise<void> {
    await this.database
      .deleteFrom('workflow_ticks')
      .where('tick', '<', before.toISOString())
      .where('tick', '<', (expression) =>
        expression
          .selectFrom('workflow_ticks as other')
          .select(({ fn }) => fn.max('other.tick').as('last'))
          .whereRef('other.workflow', '=', 'workflow_ticks.workflow'),
      )
      .execute();
  }
}
