import { Module } from '@nestjs/common';
import { DefinitionsModule } from '../../../features/workflows/definitions/definitions.module.js';
import { RunsModule } from '../../../features/workflows/engine/runs.module.js';
import { WorkflowSecretsModule } from '../../../features/workflows/secrets/workflow-secrets.module.js';
import { TriggersModule } from '../../../features/workflows/triggers/triggers.module.js';
import { AdminBodiesModule } from '../api/body/admin-bodies.module.js';
import { AccountsModule } from '../../../access/accounts/accounts.module.js';
import { RunsController } from '../runs/runs.controller.js';
import { WebhooksController } from '../webhooks/webhooks.controller.js';
import { WorkflowSecretsController } from '../workflow-secrets/workflow-secrets.controller.js';
import { AdminWorkflows } from './admin-workflows.service.js';
import { WorkflowStarts } from './workflow-starts.service.js';
import { WorkflowsController } from './workflows.controller.js';

@Module({
  imports: [AccountsModule, AdminBodiesModule, DefinitionsModule, RunsModule, TriggersModule, WorkflowSecretsModule],
  controllers: [WorkflowsController, RunsController, WebhooksController, WorkflowSecretsController],
  providers: [AdminWorkflows, WorkflowStarts],
})
export class AdminWorkflowsModule {}
