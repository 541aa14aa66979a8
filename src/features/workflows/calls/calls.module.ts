import { Module } from '@nestjs/common';
import { ConfigModule } from '../../../platform/config/config.module.js';
import { EventsModule } from '../../../platform/events/events.module.js';
import { SkillsModule } from '../../../core/skills/skills.module.js';
import { DefinitionsModule } from '../definitions/definitions.module.js';
import { RunSkillsModule } from '../engine/run-skills.module.js';
import { RunsModule } from '../engine/runs.module.js';
import { LongSkills } from './long-skills.service.js';
import { RunCaller } from './run-caller.service.js';
import { WorkflowSkillSource } from './workflow-skill-source.service.js';
import { WorkflowSkills } from './workflow-skills.service.js';

@Module({
  imports: [ConfigModule, EventsModule, SkillsModule, DefinitionsModule, RunsModule, RunSkillsModule],
  providers: [RunCaller, LongSkills, WorkflowSkills, WorkflowSkillSource],
  exports: [RunCaller],
})
export class CallsModule {}
