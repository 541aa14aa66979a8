import { Injectable } from '@nestjs/common';
import { PeriodicWork } from '../../platform/periodic/periodic-work.js';
import { IndexBuilding } from '../../platform/service-info/index-building.service.js';
import { PackageLists } from './package-lists.store.js';
import { PackageStore } from './package.store.js';

const EVERY_MS = 60 * 60_000;
/** The same as for documents of the knowledge base. */
const KEPT_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;
const INDEXED_AT_ONCE = 10;

/** Deletes packages that were removed long ago; at start, indexes those from an import of the database. */
@Injectable()
export class PackageHousekeeping extends PeriodicWork {
  constructor(
    private readonly store: PackageStore,
    private readonly lists: PackageLists,
    private readonly building: IndexBuilding,
  ) {
    super(EVERY_MS);
  }

  override onApplicationBootstrap(): void {
    this.building.begin('skill packages', async () => {
      while ((await this.lists.indexMissing(INDEXED_AT_ONCE)) === INDEXED_AT_ONCE);
    });
    this.begin();
  }

  tick(now: Date): Promise<unknown> {
    return this.store.deleteRemovedBefore(new Date(now.getTime() - KEPT_DAYS * DAY_MS));
  }
}
