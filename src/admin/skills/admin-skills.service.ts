import { Injectable } from '@nestjs/common';
import { mapPage } from '../../paging/page-cursor.js';
import { type CatalogueEntry, SkillCatalogue } from '../../skills/skill-catalogue.service.js';
import { CallStatistics } from '../../telemetry/call-statistics.service.js';
import type { SkillPage, SkillsQuery, SkillView } from './skills.schema.js';

/** Serves the catalogue of skills to administrators, each with the number of its calls. */
@Injectable()
export class AdminSkills {
  constructor(
    private readonly catalogue: SkillCatalogue,
    private readonly statistics: CallStatistics,
  ) {}

  listPage(query: SkillsQuery): SkillPage {
    const page = this.catalogue.listPage(query);
    return { ...mapPage(page, (skill) => this.withTotals(skill)), warnings: this.catalogue.warnings() };
  }

  get(name: string): SkillView {
    return this.withTotals(this.catalogue.get(name));
  }

  async setEnabled(name: string, enabled: boolean): Promise<SkillView> {
    return this.withTotals(await this.catalogue.setEnabled(name, enabled));
  }

  private withTotals(skill: CatalogueEntry): SkillView {
    return { ...skill, ...this.statistics.totalsOf(skill.name) };
  }
}
