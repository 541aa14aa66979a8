import { Injectable } from '@nestjs/common';
import { SettingsService } from '../../../platform/config/settings.service.js';
import { inParts } from '../../../platform/periodic/in-parts.js';
import { PeriodicWork } from '../../../platform/periodic/periodic-work.js';
import { RunStore } from './run.store.js';

const EVERY_MS = 10 * 60_000;
const RUNS_AT_ONCE = 50;
/** A run may have thousands of steps. */
const STEPS_AT_ONCE = 1_000;
const DAY_MS = 86_400_000;

/** Deletes runs that ended longer ago than `runs.retention_days`, except the last one of each workflow. */
@Injectable()
export class RunHousekeeping extends PeriodicWork {
  constructor(
    private readonly runs: RunStore,
    private readonly settings: SettingsService,
  ) {
    super(EVERY_MS);
  }

  /** Deletes in small portions, so that nothing has to wait. Returns the number of deleted runs. */
  tick(now: Date): Promise<number> {
    const before = new Date(now.getTime() - this.settings.get('runs.retention_days') * DAY_MS);
    return inParts(RUNS_AT_ONCE, async (limit) => {
      const ids = await this.runs.listEndedBefore(before, limit);
      if (ids.length === 0) return 0;
      await inParts(STEPS_AT_ONCE, (most) => this.runs.deleteSteps(ids, most));
      await this.runs.delete(ids);
      return ids.length;
    });
  }
}
