import { AppError } from '../../../../platform/errors/app-error.js';
import { EVENT_TYPE_RULE, MAX_WEBHOOKS, WEBHOOK_NAME_RULE } from './webhook.js';

/** Thrown when there is no such webhook, or, for senders, when it is disabled. */
export class WebhookNotFound extends AppError {
  constructor(name: string) {
    super('not_found', 'webhooks.webhook_not_found', `there is no webhook ${JSON.stringify(name.slice(0, 100))}`);
  }
}

/** Thrown when the name of a new webhook is taken. */
export class WebhookExists extends AppError {
  constructor(name: string) {
    const message = 'is the name of another webhook: choose another name, or rotate the secret of that webhook';
    super('conflict', 'webhooks.webhook_exists', `${name} ${message}`, { fields: [{ path: 'name', message }] });
  }
}

/** Thrown when the name of a new webhook cannot be part of a path. */
export class InvalidWebhookName extends AppError {
  constructor() {
    super('invalid', 'webhooks.invalid_name', `the name of a webhook ${WEBHOOK_NAME_RULE}`, {
      fields: [{ path: 'name', message: WEBHOOK_NAME_RULE }],
    });
  }
}

/** Thrown when a type of events is not allowed for webhooks. */
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

/** Thrown when the limit of webhooks is reached. */
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

/** Thrown when a message has been received before. */
export class MessageRepeated extends AppError {
  constructor() {
    super(
      'conflict',
      'webhooks.message_repeated',
      'a message with this webhook-id was accepted before: do not send it again',
    );
  }
}

/** Thrown when the body of a message is not JSON. */
export class InvalidMessage extends AppError {
  constructor() {
    super(
      'invalid',
      'webhooks.invalid_message',
      'the body is not JSON in UTF-8, or is nested more than 32 levels deep',
    );
  }
}
