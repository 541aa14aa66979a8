import { Module } from '@nestjs/common';
import { AccountsModule } from '../../../access/accounts/accounts.module.js';
import { PackageEditsModule } from '../../../features/packages/editing/package-edits.module.js';
import { PackageProposalsModule } from '../../../features/packages/proposals/package-proposals.module.js';
import { SkillPackagesModule } from '../../../features/packages/skill-packages.module.js';
import { AdminBodiesModule } from '../api/body/admin-bodies.module.js';
import { AdminPackageProposals } from './admin-package-proposals.service.js';
import { AdminSkillPackages } from './admin-skill-packages.service.js';
import { PackageProposalsController } from './package-proposals.controller.js';
import { SkillPackagesController } from './skill-packages.controller.js';

@Module({
  imports: [AccountsModule, AdminBodiesModule, SkillPackagesModule, PackageEditsModule, PackageProposalsModule],
  controllers: [SkillPackagesController, PackageProposalsController],
  providers: [AdminSkillPackages, AdminPackageProposals],
})
export class AdminSkillPackagesModule {}
