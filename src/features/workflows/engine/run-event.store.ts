import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import type { CloudEvent } from '#open-workflow';
import { Database } from '../../../platform/database/database.js';
import type { Tables } from '../../../platform/database/tables.js';
import { isMeant } from './listened-pattern.rules.js';
import type { Woken } from './run-ending.table.js';
import { wake } from './run-state.store.js';
import { countQuestions } from './step.store.js';

/**
 * Events that a run keeps until it waits for them. Beyond the limit, the oldest are dropped: waiting steps have already checked
 * them.
 */
const MOST_KEPT = 1_000;
const DROPPED = `The run keeps ${MOST_KEPT} events that no \`listen\` task has taken. More have come, so the oldest are dropped. Listen for fewer types.`;
const RUNS_AT_ONCE = 100;

type AtDelivery = (transaction: Transaction<Tables>, runIds: readonly string[]) => Promise<void>;

/** Delivers events to runs. */
@Injectable()
export class RunEventStore {
  constructor(private readonly database: Database) {}

  /** Lists the runs that may wait for events of a type, now or later. */
  async listListeners(type: string): Promise<string[]> {
    const patterns = await this.listPatterns();
    const rows = await this.database
      .selectFrom('workflow_listeners')
      .select('run_id')
      .where('type', 'in', [type, '*', ...patterns.filter((pattern) => isMeant(pattern, type))])
      .distinct()
      .orderBy('run_id')
      .execute();
    return rows.map(({ run_id }) => run_id);
  }

  private async listPatterns(): Promise<string[]> {
    const rows = await this.database
      .selectFrom('workflow_listeners')
      .select('type')
      // The same expression as in the index.
      .where(sql<boolean>`substr(type, 1, 1) = '~'`)
      .distinct()
      .execute();
    return rows.map(({ type }) => type);
  }

  /**
   * Stores an event for runs, once even if it is delivered repeatedly, and wakes them.
   * @param also further work with the reached runs, in the same transaction
   * @returns the runs that did not have it before
   */
  async deliver(runIds: readonly string[], event: CloudEvent, now: Date, also?: AtDelivery): Promise<Woken[]> {
    const reached: Woken[] = [];
    for (let from = 0; from < runIds.length; from += RUNS_AT_ONCE) {
      reached.push(...(await this.deliverSome(runIds.slice(from, from + RUNS_AT_ONCE), event, now, also)));
    }
    return reached;
  }

  /**
   * Delivers an answer to a waiting step, and wakes the run. Returns null when the step is not, or no longer, waiting: the first
   * answer counts.
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
      const rows = runs.map(({ id }) => toRow(id, event, null, now));
      if (rows.length === 0) return [];
      const inserted = await transaction
        .insertInto('workflow_events')
        .values(rows)
        .onConflict((conflict) => conflict.columns(['run_id', 'source_id']).doNothing())
        .returning('run_id')
        .execute();
      const ids = new Set(inserted.map(({ run_id }) => run_id));
      await dropOldest(transaction, [...ids], now);
      await also(transaction, [...ids]);
      return runs.filter(({ id }) => ids.has(id));
    });
  }
}

/** Drops events of runs that keep too many, and logs it once per run for its readers. */
async function dropOldest(transaction: Transaction<Tables>, runIds: readonly string[], now: Date): Promise<void> {
  if (runIds.length === 0) return;
  const full = await transaction
    .selectFrom('workflow_events')
    .select('run_id')
    .where('run_id', 'in', runIds)
    .where('consumed_by', 'is', null)
    .groupBy('run_id')
    .having((having) => having(having.fn.countAll(), '>', MOST_KEPT))
    .execute();
  for (const { run_id } of full) {
    await transaction
      .deleteFrom('workflow_events')
      .where('run_id', '=', run_id)
      .where('consumed_by', 'is', null)
      .where('seq', '<', (events) =>
        events
          .selectFrom('workflow_events')
          .select('seq')
          .where('run_id', '=', run_id)
          .where('consumed_by', 'is', null)
          .orderBy('seq', 'desc')
          .limit(1)
          .offset(MOST_KEPT - 1),
      )
      .execute();
    await warnOnce(transaction, run_id, now);
  }
}

async function warnOnce(transaction: Transaction<Tables>, runId: string, now: Date): Promise<void> {
  const before = await transaction
    .selectFrom('workflow_logs')
    .select('seq')
    .where('run_id', '=', runId)
    .where('message', '=', DROPPED)
    .limit(1)
    .executeTakeFirst();
  if (before) return;
  await transaction
    .insertInto('workflow_logs')
    .values({ run_id: runId, step: null, level: 'warning', message: DROPPED, logged_at: now.toISOString() })
    .execute();
}

const toRow = (runId: string, event: CloudEvent, consumedBy: string | null, now: Date) => ({
  run_id: runId,
  type: event.type,
  event: JSON.stringify(event),
  source_id: `${event.source} ${event.id}`,
  consumed_by: consumedBy,
  created_at: now.toISOString(),
});
