import { Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import type { CloudEvent } from '#open-workflow';
import { Database } from '../../../platform/database/database.js';
import type { Tables } from '../../../platform/database/tables.js';
import { wake, type Woken } from './run-state.store.js';
import { countQuestions } from './step.store.js';

/** Events that a run keeps until it waits for them. What comes after is dropped. */
const MOST_KEPT = 1_000;
const RUNS_AT_ONCE = 100;

type AtDelivery = (transaction: Transaction<Tables>, runIds: readonly string[]) => Promise<void>;

/** Delivers events to runs. */
@Injectable()
export class RunEventStore {
  constructor(private readonly database: Database) {}

  /** Lists the runs that may wait for events of a type, now or later. */
  async listListeners(type: string): Promise<string[]> {
    const rows = await this.database
      .selectFrom('workflow_listeners')
      .select('run_id')
      .where('type', 'in', [type, '*'])
      .distinct()
      .orderBy('run_id')
      .execute();
    return rows.map(({ run_id }) => run_id);
  }

  /**
   * Keeps an event for runs, once however often it is delivered, and wakes them.
   * @param also does what else must be done with the runs that it reaches, or else neither is done
   * @returns the runs that have it now for the first time
   */
  async deliver(runIds: readonly string[], event: CloudEvent, now: Date, also?: AtDelivery): Promise<Woken[]> {
    const reached: Woken[] = [];
    for (let from = 0; from < runIds.length; from += RUNS_AT_ONCE) {
      reached.push(...(await this.deliverSome(runIds.slice(from, from + RUNS_AT_ONCE), event, now, also)));
    }
    return reached;
  }

  /**
   * Gives a step of a run the answer that it waits for, and wakes the run. Returns null when the step does not wait (any
   * more): the first answer counts.
   */
  answer(runId: string, step: string, event: CloudEvent, now: Date): Promise<Woken | null> {
    return this.database.transaction().execute(async (transaction) => {
      const [run] = await wake(transaction, [runId]);
      if (!run) return null;
      const answered = await transaction
        .updateTable('workflow_steps')
        .set({ status: 'completed', output: JSON.stringify(event), ended_at: event.time ?? now.toISOString() })
        .where('run_id', '=', runId)
        .where('name', '=', step)
        .where('kind', '=', 'question')
        .where('status', '=', 'waiting')
        .returning('name')
        .executeTakeFirst();
      if (!answered) return null;
      await transaction
        .insertInto('workflow_events')
        .values(toRow(runId, event, step, now))
        .execute();
      await countQuestions(transaction, runId);
      return run;
    });
  }

  private deliverSome(
    runIds: readonly string[],
    event: CloudEvent,
    now: Date,
    also: AtDelivery = async () => {},
  ): Promise<Woken[]> {
    return this.database.transaction().execute(async (transaction) => {
      const runs = await wake(transaction, runIds);
      const full = await transaction
        .selectFrom('workflow_events')
        .select('run_id')
        .where('run_id', 'in', runIds)
        .where('consumed_by', 'is', null)
        .groupBy('run_id')
        .having((having) => having(having.fn.countAll(), '>=', MOST_KEPT))
        .execute();
      const fullIds = new Set(full.map(({ run_id }) => run_id));
      const rows = runs.filter(({ id }) => !fullIds.has(id)).map(({ id }) => toRow(id, event, null, now));
      if (rows.length === 0) return [];
      const inserted = await transaction
        .insertInto('workflow_events')
        .values(rows)
        .onConflict((conflict) => conflict.columns(['run_id', 'source_id']).doNothing())
        .returning('run_id')
        .execute();
      const ids = new Set(inserted.map(({ run_id }) => run_id));
      await also(transaction, [...ids]);
      return runs.filter(({ id }) => ids.has(id));
    });
  }
}

const toRow = (runId: string, event: CloudEvent, consumedBy: string | null, now: Date) => ({
  run_id: runId,
  type: event.type,
  event: JSON.stringify(event),
  source_id: `${event.source} ${event.id}`,
  consumed_by: consumedBy,
  created_at: now.toISOString(),
});
