import { Injectable } from '@nestjs/common';
import { SERVICE_CLIENT } from '../../runs/run.js';
import { RunsService } from '../../runs/runs.service.js';
import { TickStore } from './tick.store.js';

interface Startable {
  name: string;
  version: string;
}

/** Starts the runs of schedules. Each start has a name, and results in one run, even if several replicas request it repeatedly. */
@Injectable()
export class ScheduledStarts {
  constructor(
    private readonly runs: RunsService,
    private readonly ticks: TickStore,
  ) {}

  /** Starts a workflow for a time of its timetable, unless it was already started for it. */
  async startAt(workflow: Startable, tick: Date): Promise<void> {
    if (await this.ticks.has(workflow.name, tick)) return;
    // The run itself claims the tick: after a crash before the next line, starting again finds the same run.
    await this.start(workflow, tick.toISOString());
    await this.ticks.add(workflow.name, tick);
  }

  /** Starts a workflow once per start name. */
  async start({ name, version }: Startable, startName: string): Promise<void> {
    await this.runs.start({
      program: 'workflow',
      name,
      version,
      input: {},
      origin: 'schedule',
      client: SERVICE_CLIENT,
      idempotencyKey: `schedule ${startName}`,
      isTest: false,
    });
  }

  /** Returns the last run of a workflow, started in any way; null = none. */
  async findLastRun(name: string): Promise<{ id: string; endedAt: Date | null } | null> {
    const { items } = await this.runs.listPage({ name, isTest: false, limit: 1 });
    return items[0] ?? null;
  }
}
