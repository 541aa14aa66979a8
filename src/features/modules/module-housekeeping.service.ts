import { Injectable } from '@nestjs/common';
import { PeriodicWork } from '../../platform/periodic/periodic-work.js';
import { ModuleStore } from './module.store.js';

const EVERY_MS = 60 * 60_000;
/** The same as for packages. */
const KEPT_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** Deletes modules whose files were removed long ago. */
@Injectable()
export class ModuleHousekeeping extends PeriodicWork {
  constructor(private readonly store: ModuleStore) {
    super(EVERY_MS);
  }

  tick(now: Date): Promise<unknown> {
    return this.store.deleteRemovedBefore(new Date(now.getTime() - KEPT_DAYS * DAY_MS));
  }
}
