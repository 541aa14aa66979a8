import {
  EVENT_TYPE,
  EVENT_TYPE_RULE,
  type Webhook,
  WEBHOOK_NAME,
  WEBHOOK_NAME_RULE,
  webhookPath,
  type WebhookWithSecret,
} from '../../../features/workflows/triggers/webhooks/webhook.js';
import { Flag, Text, Time } from '../api/fields.decorators.js';

export class NewWebhookBody {
  @Text({
    pattern: WEBHOOK_NAME,
    rule: WEBHOOK_NAME_RULE,
    says: 'Name of the webhook; part of the path that senders use.',
  })
  name!: string;

  @Text({
    pattern: EVENT_TYPE,
    rule: EVENT_TYPE_RULE,
    example: 'shop.order.placed',
    says: 'Type of the events that the messages become. Workflows name it in with.type.',
  })
  eventType!: string;
}

export class WebhookBody {
  @Flag({ says: 'Whether the webhook accepts messages.' }) enabled!: boolean;
}

export class WebhookView implements Webhook {
  @Text({ example: 'orders' }) name!: string;
  @Text({ example: '/hooks/orders', says: 'Path for POST requests.' }) path!: string;
  @Text({ example: 'shop.order.placed' }) eventType!: string;
  @Flag() enabled!: boolean;
  @Time() createdAt!: Date;
  @Time({ nullable: true, says: 'Time of the last accepted message; null = never.' }) lastReceivedAt!: Date | null;
}

export class WebhookSecretView extends WebhookView implements WebhookWithSecret {
  @Text({ says: 'Secret that signs messages. It is not shown again.' }) secret!: string;
}

export const toWebhookView = <Shown extends Webhook>(webhook: Shown): Shown & { path: string } => ({
  ...webhook,
  path: webhookPath(webhook.name),
});
