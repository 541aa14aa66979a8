import { Injectable } from '@nestjs/common';
import { SettingsService } from '../../../platform/config/settings.service.js';
import { PeriodicWork } from '../../../platform/periodic/periodic-work.js';
import { RunStore } from './run.store.js';

const EVERY_MS = 10 * 60_000;
const AT_ONCE = 200;
const DAY_MS = 86_400_000;

/** Deletes runs that ended longer ago than `runs.retention_days`, but for the last one of each workflow. */
@Injectable()
export class RunHousekeeping extends PeriodicWork {
  constructor(
    private readonly runs: RunStore,
    private readonly settings: SettingsService,
  ) {
    super(EVERY_MS);
  }

  /** Deletes in small portions, so that nothing waits for it. Returns how many runs were deleted. */
  async tick(now: Date): Promise<number> {
    const before = new Date(now.getTime() - this.settings.get('runs.retention_days') * DAY_MS);
    let deleted = 0;
    for (;;) {
      const { length } = await this.runs.deleteEndedBefore(before, AT_ONCE);
      deleted += length;
      if (length < AT_ONCE) return deleted;
    }
  }
}
