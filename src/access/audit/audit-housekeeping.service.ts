import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SettingsService } from '../../platform/config/settings.service.js';
import { PeriodicWork } from '../../platform/periodic/periodic-work.js';
import { AuditAppendStore } from './audit-append.store.js';
import type { CountSpan } from './call-count.rules.js';
import { CallCountStore } from './call-count.store.js';

const EVERY_MS = 10 * 60_000;
const AT_ONCE = 20_000;
const COUNTS_AT_ONCE = 1_000;
const DAY_MS = 86_400_000;
/** How long counts by the minute are kept: charts of an hour need no more. */
const MINUTES_KEPT_MS = 2 * 3_600_000;

/** Deletes entries and counts older than `audit.retention_days`. */
@Injectable()
export class AuditHousekeeping extends PeriodicWork {
  constructor(
    private readonly appended: AuditAppendStore,
    private readonly counts: CallCountStore,
    private readonly settings: SettingsService,
  ) {
    super(EVERY_MS);
  }

  /** Deletes in small portions, so that nothing has to wait. Returns the number of deleted entries. */
  async tick(now: Date): Promise<number> {
    const before = new Date(now.getTime() - this.settings.get('audit.retention_days') * DAY_MS);
    let count = 0;
    for (;;) {
      const deleted = await this.appended.deleteOldest({ before, limit: AT_ONCE, now });
      count += deleted;
      if (deleted === 0) break;
      await nextTurn();
    }
    // The statistics of a week need a week of counts, even when entries are deleted earlier.
    await this.forget('hour', new Date(Math.min(before.getTime(), now.getTime() - 8 * DAY_MS)));
    await this.forget('minute', new Date(now.getTime() - MINUTES_KEPT_MS));
    return count;
  }

  private async forget(span: CountSpan, before: Date): Promise<void> {
    while (await this.counts.deleteBefore(span, before, COUNTS_AT_ONCE)) await nextTurn();
  }
}
