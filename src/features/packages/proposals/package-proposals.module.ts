import { Module, type OnModuleInit } from '@nestjs/common';
import { defineSkill } from '#skill-kit';
import { ResourcesModule } from '../../../core/resources/resources.module.js';
import { SkillsModule } from '../../../core/skills/skills.module.js';
import { SwitchedSkills } from '../../../core/skills/switched-skills.service.js';
import { ConfigModule } from '../../../platform/config/config.module.js';
import { DatabaseModule } from '../../../platform/database/database.module.js';
import { EventsModule } from '../../../platform/events/events.module.js';
import { PackageDrafts } from '../drafts/package-drafts.service.js';
import { SkillPackagesModule } from '../skill-packages.module.js';
import { PackageProposals } from './package-proposals.service.js';
import { PackageSkillSource } from './package-skill-source.service.js';
import { ProposalStore } from './proposal.store.js';
import { SkillProposeSkill } from './skill-propose.skills.js';

@Module({
  imports: [ConfigModule, DatabaseModule, EventsModule, SkillsModule, ResourcesModule, SkillPackagesModule],
  providers: [PackageDrafts, ProposalStore, PackageProposals, PackageSkillSource, SkillProposeSkill],
  exports: [PackageDrafts, PackageProposals],
})
export class PackageProposalsModule implements OnModuleInit {
  constructor(
    private readonly skills: SwitchedSkills,
    private readonly propose: SkillProposeSkill,
  ) {}

  onModuleInit(): void {
    this.skills.offerWhileOn('packages.proposals', [defineSkill(this.propose)]);
  }
}
