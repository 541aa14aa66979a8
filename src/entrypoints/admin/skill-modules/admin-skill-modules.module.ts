import { Module } from '@nestjs/common';
import { AccountsModule } from '../../../access/accounts/accounts.module.js';
import { SkillModulesModule } from '../../../features/modules/skill-modules.module.js';
import { AdminBodiesModule } from '../api/body/admin-bodies.module.js';
import { AdminSkillModules } from './admin-skill-modules.service.js';
import { SampleModulesController } from './sample-modules.controller.js';
import { SkillModulesController } from './skill-modules.controller.js';

@Module({
  imports: [AccountsModule, AdminBodiesModule, SkillModulesModule],
  controllers: [SkillModulesController, SampleModulesController],
  providers: [AdminSkillModules],
})
export class AdminSkillModulesModule {}
