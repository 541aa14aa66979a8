import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../database/database.module.js';
import { EnvironmentModule } from '../../environment/environment.module.js';
import { EventsModule } from '../../events/events.module.js';
import { SkillsModule } from '../../skills/skills.module.js';
import { ExpressionsModule } from '../programs/expressions.module.js';
import { DefinitionChecker } from './definition-checker.service.js';
import { DefinitionReader } from './definition-reader.service.js';
import { WorkflowDefinitions } from './workflow-definitions.service.js';
import { WorkflowFiles } from './workflow-files.service.js';
import { WorkflowStore } from './workflow.store.js';

@Module({
  imports: [EnvironmentModule, DatabaseModule, EventsModule, SkillsModule, ExpressionsModule],
  providers: [WorkflowStore, DefinitionReader, DefinitionChecker, WorkflowDefinitions, WorkflowFiles],
  exports: [WorkflowDefinitions, WorkflowFiles],
})
export class DefinitionsModule {}
