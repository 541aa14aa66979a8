import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../../platform/database/database.module.js';
import { EnvironmentModule } from '../../../platform/environment/environment.module.js';
import { EventsModule } from '../../../platform/events/events.module.js';
import { servesResources } from '../../../core/resources/resource.router.js';
import { ResourcesModule } from '../../../core/resources/resources.module.js';
import { SkillsModule } from '../../../core/skills/skills.module.js';
import { DefinitionChecker } from './definition-checker.service.js';
import { RunExpressions } from './expressions.service.js';
import { DefinitionReader } from './definition-reader.service.js';
import { WorkflowDefinitions } from './workflow-definitions.service.js';
import { WorkflowFiles } from './workflow-files.service.js';
import { WorkflowReference } from './workflow-reference.service.js';
import { WorkflowStore } from './workflow.store.js';
import { WorkflowResources } from './workflows.provider.js';

@Module({
  imports: [EnvironmentModule, DatabaseModule, EventsModule, SkillsModule, ResourcesModule],
  providers: [
    WorkflowStore,
    RunExpressions,
    DefinitionReader,
    DefinitionChecker,
    WorkflowDefinitions,
    WorkflowFiles,
    WorkflowReference,
    WorkflowResources,
    servesResources(WorkflowResources),
  ],
  exports: [RunExpressions, WorkflowDefinitions, WorkflowFiles],
})
export class DefinitionsModule {}
