import { Injectable } from '@nestjs/common';
import { CallStatistics, type CallTotals } from '../../../access/audit/call-statistics.service.js';
import { SkillCatalogue } from '../../../core/skills/skill-catalogue.service.js';
import { type SkillItem, SkillSources } from '../../../core/skills/skill-sources.service.js';
import { mapPage } from '../../../platform/paging/page-cursor.js';
import type { SkillBody, SkillPage, SkillQuery, SkillsQuery, SkillView } from './skills.schema.js';

type Period = SkillQuery['period'];
type WithCalls = (item: SkillItem) => SkillView;

/** Serves skills of all sources to administrators. */
@Injectable()
export class AdminSkills {
  constructor(
    private readonly sources: SkillSources,
    private readonly catalogue: SkillCatalogue,
    private readonly statistics: CallStatistics,
  ) {}

  async listPage({ period, ...query }: SkillsQuery): Promise<SkillPage> {
    const page = mapPage(await this.sources.listPage(query), await this.calls(period));
    return { ...page, warnings: this.catalogue.warnings() };
  }

  /** @throws SkillNotFound */
  async get(name: string, period: Period): Promise<SkillView> {
    const item = await this.sources.get(name);
    return (await this.calls(period))(item);
  }

  /** @throws SkillNotFound */
  async update(name: string, { enabled, timeoutMs, maxResultBytes }: SkillBody): Promise<SkillView> {
    await this.catalogue.update(name, { enabled, timeoutMs, maxResultBytes });
    return this.get(name, 'week');
  }

  /** Returns a function that adds the calls to a skill; for a skill package, its uses. */
  private async calls(period: Period): Promise<WithCalls> {
    const now = new Date();
    const [tools, packages, toolsOfDay, packagesOfDay] = await Promise.all([
      this.statistics.totals('tool', period, now),
      this.statistics.totals('skill', period, now),
      this.statistics.totals('tool', 'day', now),
      this.statistics.totals('skill', 'day', now),
    ]);
    return (item) => {
      const inPeriod = this.totalsOf(item, tools, packages);
      return { ...item, ...inPeriod, callsInDay: this.totalsOf(item, toolsOfDay, packagesOfDay).calls };
    };
  }

  private totalsOf({ name, source, inputSchema }: SkillItem, tools: Totals, packages: Totals): CallTotals {
    if (source === 'package') return packages.get(name) ?? NONE;
    // The calls under a name belong to the tool with this name.
    const isOfAnother = inputSchema === null && this.catalogue.has(name);
    return (isOfAnother ? undefined : tools.get(name)) ?? NONE;
  }
}

type Totals = ReadonlyMap<string, CallTotals>;
const NONE: CallTotals = { calls: 0, errors: 0, denied: 0 };
