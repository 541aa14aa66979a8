import { Module } from '@nestjs/common';
import { SharedPackagesModule } from '../../features/packages/sharing/shared-packages.module.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { Downloads } from './downloads.service.js';
import { SharedSkillsController } from './shared-skills.controller.js';
import { SkillsLinkGuard, WrongLinks } from './skills-link.guard.js';

@Module({
  imports: [ConfigModule, DatabaseModule, SharedPackagesModule],
  controllers: [SharedSkillsController],
  providers: [WrongLinks, SkillsLinkGuard, Downloads],
})
export class SharedSkillsModule {}
