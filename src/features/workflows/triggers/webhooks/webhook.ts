/** Names of webhooks, which are parts of paths. */
export const WEBHOOK_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** The same in words. */
export const WEBHOOK_NAME_RULE =
  'must be a name such as build-done: lower-case letters, digits, dashes and underscores, the first a letter or a digit, 64 at most';
/** Types of events, as workflows write them in `with.type`. */
export const EVENT_TYPE = /^[a-zA-Z0-9][a-zA-Z0-9._/-]{0,127}$/;
/** The same in words. */
export const EVENT_TYPE_RULE =
  'must be a type such as build.done: letters, digits, dots, slashes, dashes and underscores, the first a letter or a digit, 128 at most';
export const MAX_WEBHOOKS = 200;

/** An endpoint to which others send messages, which become events for workflows. */
export interface Webhook {
  name: string;
  /** The type of the events from its messages. */
  eventType: string;
  /** A disabled webhook accepts no messages. */
  enabled: boolean;
  createdAt: Date;
  /** When it last accepted a message; null = never. */
  lastReceivedAt: Date | null;
}

/** A webhook with its new secret, which is not shown again. */
export interface WebhookWithSecret extends Webhook {
  /** In the format for senders: `whsec_` and base64 of 32 random bytes. */
  secret: string;
}

export const webhookPath = (name: string): string => `/hooks/${name}`;
