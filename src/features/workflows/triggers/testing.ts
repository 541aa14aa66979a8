import type { Schedule, WorkflowDefinition } from '#open-workflow';
import type { Database } from '../../../platform/database/database.js';
import type { WorkflowDefinitions } from '../definitions/workflow-definitions.service.js';
import { engineOn } from '../engine/embedded/testing.js';
import { WrittenPrograms } from '../engine/testing.js';
import type { CatchUp } from './schedules/schedule.rules.js';
import { TriggerClock } from './clock.js';

/** A clock that stands still until a test sets it. */
export class TestClock extends TriggerClock {
  private readonly alarms = new Set<{ time: Date; work: () => void }>();
  private time: Date;

  constructor(time: string) {
    super();
    this.time = new Date(time);
  }

  override now(): Date {
    return this.time;
  }

  override at(time: Date, work: () => void): () => void {
    const alarm = { time, work };
    this.alarms.add(alarm);
    return () => this.alarms.delete(alarm);
  }

  /**
   * Sets the clock forward, and stops at the time of each alarm.
   * @param settle awaits the effects of the calls
   */
  async advanceTo(until: string | Date, settle: () => Promise<unknown>): Promise<void> {
    const end = new Date(until);
    for (;;) {
      const due = [...this.alarms].filter((alarm) => alarm.time <= end);
      if (due.length === 0) break;
      this.time = new Date(Math.max(+this.time, Math.min(...due.map((alarm) => +alarm.time))));
      // All at once: replicas do not wait for each other.
      for (const alarm of due.filter(({ time: at }) => at <= this.time)) {
        this.alarms.delete(alarm);
        alarm.work();
      }
      await settle();
    }
    this.time = end;
  }

  /** Sets the clock at once. Set back, it calls every alarm; set forward, those that are due. */
  async jumpTo(time: string, settle: () => Promise<unknown>): Promise<void> {
    const isSetBack = new Date(time) < this.time;
    this.time = new Date(time);
    for (const alarm of this.alarms) {
      if (!isSetBack && alarm.time > this.time) continue;
      this.alarms.delete(alarm);
      alarm.work();
    }
    await settle();
  }
}

/** Returns definitions of workflows with these schedules. A test may change the list. */
export function scheduledWorkflows(schedules: Record<string, Schedule>, catchUp?: CatchUp): WorkflowDefinition[] {
  return Object.entries(schedules).map(([name, schedule]) => ({
    document: {
      ...{ dsl: '1.0.3', namespace: 'test', name, version: '1.0.0' },
      ...(catchUp && { metadata: { catchUp } }),
    },
    schedule,
    do: [],
  }));
}

export const definitionsOf = (current: WorkflowDefinition[]): WorkflowDefinitions =>
  ({ listEnabled: async () => current }) as WorkflowDefinitions;

/** Makes one replica of the service on a database. Runs of all workflows end when `work` does, by default immediately. */
export async function replicaOn(database: Database, names: string[], work: () => Promise<null> = async () => null) {
  const programs = new WrittenPrograms(Object.fromEntries(names.map((name) => [name, work])));
  return engineOn(database, programs);
}

/** Returns all runs with their idempotency keys, ordered by key. */
export async function startedRuns(database: Database): Promise<{ name: string; key: string; input: unknown }[]> {
  const rows = await database.selectFrom('workflow_runs').select(['name', 'idempotency_key', 'input']).execute();
  return rows
    .map((row) => ({ name: row.name, key: row.idempotency_key ?? '', input: JSON.parse(row.input) as unknown }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}
