import { Injectable } from '@nestjs/common';
import { CallStatistics, type CallTotals, type Period } from '../../../access/audit/call-statistics.service.js';
import { mapPage } from '../../../platform/paging/page-cursor.js';
import { type CatalogueEntry, SkillCatalogue } from '../../../core/skills/skill-catalogue.service.js';
import type { SkillBody, SkillPage, SkillsQuery, SkillView } from './skills.schema.js';

/** Serves the catalogue of skills to administrators, each with the number of its calls. */
@Injectable()
export class AdminSkills {
  constructor(
    private readonly catalogue: SkillCatalogue,
    private readonly statistics: CallStatistics,
  ) {}

  async listPage({ period, ...query }: SkillsQuery): Promise<SkillPage> {
    const totals = await this.statistics.totals('tool', period, new Date());
    const page = mapPage(this.catalogue.listPage(query), (skill) => withTotals(skill, totals));
    return { ...page, warnings: this.catalogue.warnings() };
  }

  async get(name: string, period: Period): Promise<SkillView> {
    return withTotals(this.catalogue.get(name), await this.statistics.totals('tool', period, new Date()));
  }

  async update(name: string, { enabled, timeoutMs, maxResultBytes }: SkillBody): Promise<SkillView> {
    await this.catalogue.update(name, { enabled, timeoutMs, maxResultBytes });
    return this.get(name, 'week');
  }
}

const withTotals = (skill: CatalogueEntry, totals: ReadonlyMap<string, CallTotals>): SkillView => {
  const { calls = 0, errors = 0, denied = 0 } = totals.get(skill.name) ?? {};
  return { ...skill, calls, errors, denied };
};
