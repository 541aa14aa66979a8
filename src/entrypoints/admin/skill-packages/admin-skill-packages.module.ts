import { Module } from '@nestjs/common';
import { AccountsModule } from '../../../access/accounts/accounts.module.js';
import { SkillPackagesModule } from '../../../features/packages/skill-packages.module.js';
import { AdminBodiesModule } from '../api/body/admin-bodies.module.js';
import { AdminSkillPackages } from './admin-skill-packages.service.js';
import { SkillPackagesController } from './skill-packages.controller.js';

@Module({
  imports: [AccountsModule, AdminBodiesModule, SkillPackagesModule],
  controllers: [SkillPackagesController],
  providers: [AdminSkillPackages],
})
export class AdminSkillPackagesModule {}
