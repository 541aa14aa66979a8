import { AppError } from '../../../../platform/errors/app-error.js';
import { EVENT_TYPE_RULE, MAX_WEBHOOKS, WEBHOOK_NAME_RULE } from './webhook.js';

/** Thrown when there is no such webhook, or, for senders, when it is disabled. */
export class WebhookNotFound extends AppError {
  constructor(name: string) {
    super('not_found', 'webhooks.webhook_not_found', `there is no webhook ${JSON.stringify(name.slice(0, 100))}`);
  }
}

export class WebhookExists extends AppError {
  constructor(name: string) {
    const message = 'is the name of another webhook: choose another name, or rotate the secret of that webhook';
    super('conflict', 'webhooks.webhook_exists', `${name} ${message}`, { fields: [{ path: 'name', message }] });
  }
}

export class InvalidWebhookName extends AppError {
  constructor() {
    super('invalid', 'webhooks.invalid_name', `the name of a webhook ${WEBHOOK_NAME_RULE}`, {
      fields: [{ path: 'name', message: WEBHOOK_NAME_RULE }],
    });
  }
}

export class InvalidEventType extends AppError {
  constructor(reason: 'malformed' | 'reserved') {
    const message =
      reason === 'malformed'
        ? EVENT_TYPE_RULE
        : 'is a type of events that only the service itself sends: choose another, such as shop.order.placed';
    super('invalid', 'webhooks.invalid_event_type', `the event type of a webhook ${message}`, {
      fields: [{ path: 'eventType', message }],
    });
  }
}

export class TooManyWebhooks extends AppError {
  constructor() {
    super(
      'conflict',
      'webhooks.too_many',
      `there are ${MAX_WEBHOOKS} webhooks already: delete those not used any more`,
    );
  }
}

/** Thrown when a message is not signed with the secret of its webhook, or was signed too long ago. */
export class InvalidSignature extends AppError {
  constructor(reason: string) {
    super(
      'unauthorized',
      'webhooks.invalid_signature',
      `${reason}: sign each message as standardwebhooks.com describes, with the secret of this webhook, and send it within 5 minutes`,
    );
  }
}

export class MessageRepeated extends AppError {
  constructor() {
    super(
      'conflict',
      'webhooks.message_repeated',
      'a message with this webhook-id was accepted before: do not send it again',
    );
  }
}

export class InvalidMessage extends AppError {
  constructor() {
    super(
      'invalid',
      'webhooks.invalid_message',
      'the body is not JSON in UTF-8, or is nested more than 32 levels deep',
    );
  }
}
