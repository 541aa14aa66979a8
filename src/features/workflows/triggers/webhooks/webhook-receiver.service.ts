import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { Webhook as Signer, WebhookVerificationError } from 'standardwebhooks';
import { parseBoundedJson, storableValue } from '#bounded-json';
import type { CloudEvent, Json } from '#open-workflow';
import { ReferenceGone } from '../../../../platform/database/database.errors.js';
import { SEALED_COLUMNS } from '../../../../platform/secrets/sealed-columns.store.js';
import { SealingKeys } from '../../../../platform/secrets/sealing-keys.service.js';
import { RunsService } from '../../runs/runs.service.js';
import { withSourceSince } from '../../runs/events/run-chain.store.js';
import { WEBHOOK_NAME, webhookPath } from './webhook.js';
import { type SealedWebhook, WebhookStore } from './webhook.store.js';
import { InvalidMessage, InvalidSignature, MessageRepeated, WebhookNotFound } from './webhooks.errors.js';

const MAX_DEPTH = 32;
const MESSAGE_ID = /^[\x21-\x7e]{1,200}$/;
const SECONDS = /^\d{1,12}$/;

/** A message of which everything except its signature has been checked. */
export interface AnnouncedMessage {
  webhook: SealedWebhook;
  id: string;
  /** Seconds since 1970. */
  timestamp: string;
  signature: string;
}

/** Accepts messages to webhooks, each once, and publishes them as events. */
@Injectable()
export class WebhookReceiver {
  private readonly logger = new Logger(WebhookReceiver.name);

  constructor(
    private readonly store: WebhookStore,
    private readonly sealing: SealingKeys,
    private readonly runs: RunsService,
  ) {}

  /** Checks everything that can be checked before the body is read. @throws WebhookNotFound, InvalidSignature */
  async announce(name: string, headers: IncomingHttpHeaders): Promise<AnnouncedMessage> {
    const webhook = WEBHOOK_NAME.test(name) ? await this.store.find(name) : undefined;
    if (!webhook?.enabled) throw new WebhookNotFound(name);
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
    if (!isOneText(id) || !isOneText(timestamp) || !isOneText(signature)) {
      throw new InvalidSignature('the headers webhook-id, webhook-timestamp and webhook-signature are needed');
    }
    if (!MESSAGE_ID.test(id)) throw new InvalidSignature('the webhook-id must have at most 200 visible characters');
    if (!SECONDS.test(timestamp)) throw new InvalidSignature('the webhook-timestamp must be seconds since 1970');
    return { webhook, id, timestamp, signature };
  }

  /**
   * Publishes a message as an event, unless it has been received before.
   * @throws InvalidSignature, InvalidMessage, MessageRepeated, WebhookNotFound
   */
  async take(message: AnnouncedMessage, body: Buffer, now = new Date()): Promise<void> {
    const { webhook, id, timestamp } = message;
    await this.verify(message, body);
    const parsed = parseBoundedJson(body, MAX_DEPTH);
    if ('problem' in parsed) throw new InvalidMessage();
    if (await this.store.hasMessage(webhook.name, id)) throw new MessageRepeated();
    // Published before it is recorded: after a crash in between, the sender's retry must not be refused. Publishing twice does no
    // harm, because the event has the same id.
    const event: CloudEvent = {
      specversion: '1.0',
      id,
      source: webhookPath(webhook.name),
      type: webhook.eventType,
      time: new Date(Number(timestamp) * 1000).toISOString(),
      datacontenttype: 'application/json',
      data: storableValue(parsed.value) as Json,
    };
    await this.runs.publish(withSourceSince(event, webhook.createdAt));
    if (!(await this.record(message, now))) throw new MessageRepeated();
  }

  private async record({ webhook, id }: AnnouncedMessage, now: Date): Promise<boolean> {
    try {
      return await this.store.addMessage(webhook.name, id, now);
    } catch (error) {
      throw error instanceof ReferenceGone ? new WebhookNotFound(webhook.name) : error;
    }
  }

  private async verify({ webhook, id, timestamp, signature }: AnnouncedMessage, body: Buffer): Promise<void> {
    const purpose = SEALED_COLUMNS.webhooks.purposeOf(webhook.name);
    const secret = await this.sealing.open({ sealed: webhook.sealedSecret }, purpose);
    if (secret === null) {
      this.logger.warn(`the secret of the webhook ${webhook.name} cannot be decrypted: rotate it`);
      throw new InvalidSignature('the signature cannot be checked now');
    }
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    try {
      new Signer(secret.text).verify(body.toString('utf8'), headers, { jsonParse: false });
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      throw new InvalidSignature(
        /timestamp/.test(error.message) ? 'the message is too old, or from the future' : 'the signature is wrong',
      );
    }
  }
}

const isOneText = (value: string | string[] | undefined): value is string => typeof value === 'string' && value !== '';
