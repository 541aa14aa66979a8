import { Injectable } from '@nestjs/common';
import { CallStatistics } from '../../access/audit/call-statistics.service.js';
import type { SkillUses } from '../../access/audit/call-count.store.js';
import { PeriodicWork } from '../../platform/periodic/periodic-work.js';
import type { SkillPackage } from './files/package.js';

const EVERY_MS = 60_000;
const HOUR_MS = 60 * 60_000;
const COUNTED_MS = 30 * 24 * HOUR_MS;
/** The time after which all replicas have counted the uses of an hour, and have read the counts of the others. */
const SETTLED_MS = 5 * 60_000;
const READ_AHEAD_MS = 3 * 60_000;

/**
 * Counts the uses of packages in the last 30 days. The ranking for clients changes once an hour, five minutes after the hour, so
 * that all replicas show the same.
 */
@Injectable()
export class PackageUses extends PeriodicWork {
  /** Uses of each package up to an hour, by the end of that hour. */
  private ranks = new Map<number, ReadonlyMap<string, number>>();

  constructor(private readonly statistics: CallStatistics) {
    super(EVERY_MS);
  }

  override async onApplicationBootstrap(): Promise<void> {
    await this.tick(new Date());
    this.begin();
  }

  /** Sorts packages by use, most used first; others keep their order. */
  sorted<One extends Pick<SkillPackage, 'name'>>(packages: readonly One[], now = new Date()): One[] {
    const uses = this.ranks.get(lastHourEnd(now)) ?? new Map<string, number>();
    return packages.toSorted((one, other) => (uses.get(other.name) ?? 0) - (uses.get(one.name) ?? 0));
  }

  /** Returns how often a package was used in the last 30 days, and when it was last used; undefined = never. */
  async find(name: string, now = new Date()): Promise<SkillUses | undefined> {
    const from = new Date(now.getTime() - COUNTED_MS);
    const [uses] = await this.statistics.skillUses({ from, to: new Date(now.getTime() + HOUR_MS), name });
    return uses;
  }

  /** Reads the current ranking and the next one. */
  async tick(now: Date): Promise<void> {
    const ends = [lastHourEnd(now), lastHourEnd(new Date(now.getTime() + READ_AHEAD_MS))];
    const ranks = new Map<number, ReadonlyMap<string, number>>();
    for (const end of new Set(ends)) ranks.set(end, this.ranks.get(end) ?? (await this.upTo(end)));
    this.ranks = ranks;
  }

  private async upTo(end: number): Promise<ReadonlyMap<string, number>> {
    const uses = await this.statistics.skillUses({ from: new Date(end - COUNTED_MS), to: new Date(end) });
    return new Map(uses.map((one) => [one.name, one.uses]));
  }
}

const lastHourEnd = (now: Date): number => Math.floor((now.getTime() - SETTLED_MS) / HOUR_MS) * HOUR_MS;
