import { Injectable } from '@nestjs/common';
import { CallStatistics } from '../../access/audit/call-statistics.service.js';
import type { SkillUses } from '../../access/audit/call-count.store.js';
import { PeriodicWork } from '../../platform/periodic/periodic-work.js';
import type { SkillPackage } from './files/package.js';

const EVERY_MS = 60_000;
const HOUR_MS = 60 * 60_000;
const COUNTED_MS = 30 * 24 * HOUR_MS;
/** After so long, all replicas have counted the uses of an hour, and have read what the others have counted. */
const SETTLED_MS = 5 * 60_000;
const READ_AHEAD_MS = 3 * 60_000;

/**
 * Tells how often packages were used in the last 30 days. What clients are shown changes once an hour, five minutes after
 * the hour, so that all replicas show the same.
 */
@Injectable()
export class PackageUses extends PeriodicWork {
  /** How often each package was used up to an hour, by the time when that hour ended. */
  private ranks = new Map<number, ReadonlyMap<string, number>>();

  constructor(private readonly statistics: CallStatistics) {
    super(EVERY_MS);
  }

  override async onApplicationBootstrap(): Promise<void> {
    await this.tick(new Date());
    this.begin();
  }

  /** Returns packages with those first that are used most; others stay in their order. */
  sorted<One extends Pick<SkillPackage, 'name'>>(packages: readonly One[], now = new Date()): One[] {
    const uses = this.ranks.get(lastHourEnd(now)) ?? new Map<string, number>();
    return packages.toSorted((one, other) => (uses.get(other.name) ?? 0) - (uses.get(one.name) ?? 0));
  }

  /** Returns how often a package was used in the last 30 days, and when for the last time; undefined when it was not. */
  async find(name: string, now = new Date()): Promise<SkillUses | undefined> {
    const from = new Date(now.getTime() - COUNTED_MS);
    const [uses] = await this.statistics.skillUses({ from, to: new Date(now.getTime() + HOUR_MS), name });
    return uses;
  }

  /** Reads what is shown now, and what is shown soon. */
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
