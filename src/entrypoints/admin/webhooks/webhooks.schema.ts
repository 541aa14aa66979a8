import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, Matches } from 'class-validator';
import {
  EVENT_TYPE,
  EVENT_TYPE_RULE,
  type Webhook,
  WEBHOOK_NAME,
  WEBHOOK_NAME_RULE,
  webhookPath,
  type WebhookWithSecret,
} from '../../../features/workflows/triggers/webhooks/webhook.js';

export class NewWebhookBody {
  @ApiProperty({ pattern: WEBHOOK_NAME.source, description: 'It is part of the path that senders use.' })
  @Matches(WEBHOOK_NAME, { message: `$property ${WEBHOOK_NAME_RULE}` })
  name!: string;

  @ApiProperty({
    pattern: EVENT_TYPE.source,
    example: 'shop.order.placed',
    description: 'The type of the events that its messages become. Workflows name it in with.type.',
  })
  @Matches(EVENT_TYPE, { message: `$property ${EVENT_TYPE_RULE}` })
  eventType!: string;
}

export class WebhookBody {
  @ApiProperty({ description: 'A disabled webhook takes no messages.' })
  @IsBoolean()
  enabled!: boolean;
}

export class WebhookView implements Webhook {
  @ApiProperty({ example: 'orders' })
  name!: string;

  @ApiProperty({ example: '/hooks/orders', description: 'Where messages are sent by POST.' })
  path!: string;

  @ApiProperty({ example: 'shop.order.placed' })
  eventType!: string;

  @ApiProperty()
  enabled!: boolean;

  @ApiProperty()
  createdAt!: Date;

  @ApiProperty({ type: Date, nullable: true, description: 'When it last took a message; null: never.' })
  lastReceivedAt!: Date | null;
}

export class WebhookSecretView extends WebhookView implements WebhookWithSecret {
  @ApiProperty({ description: 'The secret that messages are signed with. It is not shown again.' })
  secret!: string;
}

export const toWebhookView = <Shown extends Webhook>(webhook: Shown): Shown & { path: string } => ({
  ...webhook,
  path: webhookPath(webhook.name),
});
