import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../../platform/database/database.module.js';
import { SecretsModule } from '../../../platform/secrets/secrets.module.js';
import { WorkflowSecretStore } from './workflow-secret.store.js';
import { WorkflowSecrets } from './workflow-secrets.service.js';

@Module({
  imports: [DatabaseModule, SecretsModule],
  providers: [WorkflowSecretStore, WorkflowSecrets],
  exports: [WorkflowSecrets],
})
export class WorkflowSecretsModule {}
