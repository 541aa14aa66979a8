import { Body, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { Webhooks } from '../../../features/workflows/triggers/webhooks/webhooks.service.js';
import { AdminController, Creates, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited, type AuditedRequest } from '../api/audited.decorator.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { PageOf } from '../api/page.schema.js';
import { NewWebhookBody, toWebhookView, WebhookBody, WebhookSecretView, WebhookView } from './webhooks.schema.js';

const named = async (controller: WebhooksController, { params }: AuditedRequest) =>
  (await controller.list()).items.find(({ name }) => name === params['name']) ?? null;

@AdminController('webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: Webhooks) {}

  @Get()
  @Operation('listWebhooks', 'Lists the webhooks, without their secrets')
  @Returns(PageOf(WebhookView))
  async list(): Promise<Page<WebhookView>> {
    return onePage((await this.webhooks.list()).map(toWebhookView));
  }

  @NeedsRole('editor')
  @Post()
  @Audited({ recordsResult: true })
  @Operation(
    'createWebhook',
    'Creates a webhook, and returns its secret once',
    'Each message, signed according to Standard Webhooks, becomes an event that starts workflows or that runs wait for.',
  )
  @Creates(WebhookSecretView)
  async create(@Body() { name, eventType }: NewWebhookBody): Promise<WebhookSecretView> {
    return toWebhookView(await this.webhooks.create(name, eventType));
  }

  @NeedsRole('editor')
  @Put(':name')
  @Audited<WebhooksController>({ state: named })
  @Operation('setWebhookEnabled', 'Enables or disables a webhook')
  @Returns(WebhookView)
  async setEnabled(@Param('name') name: string, @Body() { enabled }: WebhookBody): Promise<WebhookView> {
    return toWebhookView(await this.webhooks.setEnabled(name, enabled));
  }

  @NeedsRole('editor')
  @Post(':name/rotate')
  @Audited<WebhooksController>({ state: named })
  @Operation(
    'rotateWebhookSecret',
    'Generates a new secret for a webhook, and returns it once',
    'Messages signed with the previous secret are refused from then on.',
  )
  @Creates(WebhookSecretView)
  async rotate(@Param('name') name: string): Promise<WebhookSecretView> {
    return toWebhookView(await this.webhooks.rotate(name));
  }

  @NeedsRole('editor')
  @Delete(':name')
  @Audited<WebhooksController>({ state: named })
  @Operation('deleteWebhook', 'Deletes a webhook')
  @NoContent('The webhook is deleted: messages to it are refused.')
  remove(@Param('name') name: string): Promise<void> {
    return this.webhooks.remove(name);
  }
}
