import { Body, Delete, Get, Param, Put } from '@nestjs/common';
import { onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { WorkflowSecrets } from '../../../features/workflows/secrets/workflow-secrets.service.js';
import { AdminController, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited, type AuditedRequest } from '../api/audited.decorator.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { PageOf } from '../api/page.schema.js';
import { WorkflowSecretBody, WorkflowSecretView } from './workflow-secrets.schema.js';

const named = async (controller: WorkflowSecretsController, { params }: AuditedRequest) =>
  (await controller.list()).items.find(({ name }) => name === params['name']) ?? null;

@AdminController('workflow-secrets')
export class WorkflowSecretsController {
  constructor(private readonly secrets: WorkflowSecrets) {}

  @NeedsRole('editor')
  @Get()
  @Operation('listWorkflowSecrets', 'Lists the secrets that workflows may use, without their values')
  @Returns(PageOf(WorkflowSecretView))
  async list(): Promise<Page<WorkflowSecretView>> {
    return onePage(await this.secrets.list());
  }

  @Put(':name')
  @Audited<WorkflowSecretsController>({ state: named })
  @Operation(
    'setWorkflowSecret',
    'Adds or changes a secret',
    'Omitted fields are left unchanged. The value cannot be read again.',
  )
  @Returns(WorkflowSecretView)
  set(@Param('name') name: string, @Body() body: WorkflowSecretBody): Promise<WorkflowSecretView> {
    return this.secrets.set(name, body);
  }

  @Delete(':name')
  @Audited<WorkflowSecretsController>({ state: named })
  @Operation('deleteWorkflowSecret', 'Deletes a secret', 'Workflows that use it fail from then on.')
  @NoContent('The secret is deleted.')
  remove(@Param('name') name: string): Promise<void> {
    return this.secrets.remove(name);
  }
}
