import { Module } from '@nestjs/common';
import { ConfigModule } from '../../platform/config/config.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { PolicyModule } from '../../access/policy/policy.module.js';
import { SystemInfo } from './built-in/system-info.skills.js';
import { PromptRegistry } from './prompt.registry.js';
import { PromptsService } from './prompts.service.js';
import { SkillCatalogue, ToolLimitsService } from './skill-catalogue.service.js';
import { SkillStateStore } from './skill-state.store.js';
import { SkillSources } from './skill-sources.service.js';
import { registersSkills, SkillRegistry } from './skill.registry.js';
import { SchemaChecks } from './schema-checks.service.js';
import { SkillExecutor } from './skill-executor.service.js';
import { SkillsService } from './skills.service.js';
import { SwitchedSkills } from './switched-skills.service.js';

@Module({
  imports: [ConfigModule, DatabaseModule, EventsModule, PolicyModule],
  providers: [
    SkillRegistry,
    SkillStateStore,
    SkillCatalogue,
    SkillSources,
    ToolLimitsService,
    SchemaChecks,
    SkillExecutor,
    SkillsService,
    PromptRegistry,
    PromptsService,
    SwitchedSkills,
    SystemInfo,
    registersSkills(SystemInfo),
  ],
  exports: [
    SchemaChecks,
    SkillRegistry,
    SkillCatalogue,
    SkillSources,
    ToolLimitsService,
    SkillsService,
    PromptRegistry,
    PromptsService,
    SwitchedSkills,
  ],
})
export class SkillsModule {}
