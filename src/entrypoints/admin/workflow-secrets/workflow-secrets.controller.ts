import { Body, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { WorkflowSecrets } from '../../../features/workflows/secrets/workflow-secrets.service.js';
import { AdminController, NoContent, Operation } from '../api/admin-controller.decorator.js';
import { Audited, type AuditedRequest } from '../api/audited.decorator.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { PageOf } from '../api/page.schema.js';
import {
  MAX_SECRET,
  type SecretValue,
  type WorkflowSecret,
} from '../../../features/workflows/secrets/workflow-secret.js';
import { Text, Time, Value } from '../api/fields.decorators.js';

const TEXT = { type: 'string' as const, minLength: 1, maxLength: MAX_SECRET };

class WorkflowSecretBody {
  @Value(
    { oneOf: [TEXT, { type: 'object', additionalProperties: TEXT, minProperties: 1 }] },
    { says: 'A text, or an object of texts, such as username and password. It cannot be read again.' },
  )
  value!: SecretValue;
}

class WorkflowSecretView implements WorkflowSecret {
  @Text({ example: 'weather_api', says: 'Name, for use.secrets of workflows.' }) name!: string;
  @Time() updatedAt!: Date;
}

const named = async (controller: WorkflowSecretsController, { params }: AuditedRequest) =>
  (await controller.list()).items.find(({ name }) => name === params['name']) ?? null;

@AdminController('workflow-secrets')
export class WorkflowSecretsController {
  constructor(private readonly secrets: WorkflowSecrets) {}

  @NeedsRole('editor')
  @Get()
  @Operation('listWorkflowSecrets', 'Lists the secrets that workflows may use, without their values')
  @ApiOkResponse({ type: PageOf(WorkflowSecretView) })
  async list(): Promise<Page<WorkflowSecretView>> {
    return onePage(await this.secrets.list());
  }

  @Put(':name')
  @Audited<WorkflowSecretsController>({ state: named })
  @Operation('setWorkflowSecret', 'Adds a secret, or replaces its value', 'The value cannot be read again.')
  @ApiOkResponse({ type: WorkflowSecretView })
  set(@Param('name') name: string, @Body() body: WorkflowSecretBody): Promise<WorkflowSecretView> {
    return this.secrets.set(name, body.value);
  }

  @Delete(':name')
  @Audited<WorkflowSecretsController>({ state: named })
  @Operation('deleteWorkflowSecret', 'Deletes a secret', 'Workflows that use it fail from then on.')
  @NoContent('The secret is deleted.')
  remove(@Param('name') name: string): Promise<void> {
    return this.secrets.remove(name);
  }
}
