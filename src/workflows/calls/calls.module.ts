import { Module } from '@nestjs/common';
import { ConfigModule } from '../../config/config.module.js';
import { EventsModule } from '../../events/events.module.js';
import { SkillsModule } from '../../skills/skills.module.js';
import { DefinitionsModule } from '../definitions/definitions.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { LongSkills } from './long-skills.service.js';
import { RunCaller } from './run-caller.service.js';
import { WorkflowSkills } from './workflow-skills.service.js';

@Module({
  imports: [ConfigModule, EventsModule, SkillsModule, DefinitionsModule, RunsModule],
  providers: [RunCaller, LongSkills, WorkflowSkills],
})
export class CallsModule {}
