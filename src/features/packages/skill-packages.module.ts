import { Module, type OnModuleInit } from '@nestjs/common';
import { AuditModule } from '../../access/audit/audit.module.js';
import { PolicyService } from '../../access/policy/policy.service.js';
import { PolicyModule } from '../../access/policy/policy.module.js';
import { servesResources } from '../../core/resources/resource.router.js';
import { ResourcesModule } from '../../core/resources/resources.module.js';
import { SkillsModule } from '../../core/skills/skills.module.js';
import { SemanticModule } from '../semantic/semantic.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EnvironmentModule } from '../../platform/environment/environment.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { ServiceInfoModule } from '../../platform/service-info/service-info.module.js';
import { PackageFolders } from './folder/package-folders.service.js';
import { PackageHousekeeping } from './package-housekeeping.service.js';
import { PackageLists } from './package-lists.store.js';
import { PackagePrompts } from './package-prompts.service.js';
import { PackageUses } from './package-uses.service.js';
import { PackageTools } from './package-tools.service.js';
import { PackageSearch } from './package-search.service.js';
import { PackageVectors } from './package-vectors.store.js';
import { PackageStore } from './package.store.js';
import { SkillPackageResources } from './skill-packages.provider.js';
import { SkillPackages } from './skill-packages.service.js';
import { PackageUploads } from './upload/package-uploads.service.js';
import { SkillFindSkill, SkillReadSkill } from './skill-packages.skills.js';

const TOOLS = [SkillFindSkill, SkillReadSkill, PackageTools];

@Module({
  imports: [
    EnvironmentModule,
    DatabaseModule,
    EventsModule,
    ServiceInfoModule,
    AuditModule,
    PolicyModule,
    SkillsModule,
    ResourcesModule,
    SemanticModule,
  ],
  providers: [
    PackageStore,
    PackageLists,
    PackageVectors,
    PackageSearch,
    SkillPackages,
    SkillPackageResources,
    servesResources(SkillPackageResources),
    PackagePrompts,
    ...TOOLS,
    PackageFolders,
    PackageHousekeeping,
    PackageUploads,
    PackageUses,
  ],
  exports: [SkillPackages, PackageFolders, PackageUploads, PackageUses],
})
export class SkillPackagesModule implements OnModuleInit {
  constructor(
    private readonly resources: SkillPackageResources,
    private readonly policy: PolicyService,
  ) {}

  onModuleInit(): void {
    this.policy.registerTags(this.resources.scheme, (uri) => this.resources.tagsOf(uri));
  }
}
