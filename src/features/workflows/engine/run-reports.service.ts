import { Injectable, Logger } from '@nestjs/common';
import type { StepRef, StepProgress } from '#open-workflow';
import { ReplicaChannel } from '../../../platform/database/replica-channel.service.js';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import type { RunStatus } from '../runs/run.js';
import type { ClaimedRun } from '../runs/execution/claimed-run.js';
import type { CancelledRun, Ending } from './run-ending.table.js';

/** Notifies this process and the other replicas of what happens to runs. */
@Injectable()
export class RunReports {
  private readonly logger = new Logger(RunReports.name);

  constructor(
    private readonly events: EventBus,
    private readonly channel: ReplicaChannel,
  ) {}

  running(run: ClaimedRun): void {
    this.changed(run, 'running');
  }

  stepEnded({ id }: ClaimedRun, step: StepRef): void {
    this.events.emit('run.step', { id, step });
  }

  stepProgressed({ id }: ClaimedRun, step: StepRef, progress: StepProgress): void {
    this.events.emit('run.step', { id, step, progress });
  }

  waiting(run: ClaimedRun): void {
    this.changed(run, 'waiting');
  }

  ended(run: ClaimedRun, { status }: Ending): void {
    this.changed(run, status);
    const { id, name, client, origin } = run;
    this.events.emit('run.ended', { id, name, client: client.name, status, origin });
  }

  cancelled({ id, name, client, origin }: CancelledRun): void {
    this.events.emit('run.changed', { id, status: 'cancelled' });
    this.events.emit('run.ended', { id, name, client, status: 'cancelled', origin });
  }

  /** Calls `listener` with the id of a run for which other replicas have news; with null when messages may have been missed. */
  onNotified(listener: (id: string | null) => void): void {
    this.channel.on('runs', async (id) => listener(id));
  }

  notifyReplicas(ids: readonly string[]): void {
    for (const id of ids) this.channel.notify('runs', id).catch((error: unknown) => this.logger.error(error));
  }

  private changed({ id }: ClaimedRun, status: RunStatus): void {
    this.events.emit('run.changed', { id, status });
  }
}
