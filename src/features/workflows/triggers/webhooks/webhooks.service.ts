import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SEALED_COLUMNS } from '../../../../platform/secrets/sealed-columns.store.js';
import { SealingKeys } from '../../../../platform/secrets/sealing-keys.service.js';
import { isReservedType } from '../../runs/events/event-types.js';
import { EVENT_TYPE, type Webhook, WEBHOOK_NAME, type WebhookWithSecret } from './webhook.js';
import { type SealedWebhook, WebhookStore } from './webhook.store.js';
import {
  InvalidEventType,
  InvalidWebhookName,
  TooManyWebhooks,
  WebhookExists,
  WebhookNotFound,
} from './webhooks.errors.js';

const SECRET_BYTES = 32;
const { purposeOf } = SEALED_COLUMNS.webhooks;

/** Manages webhooks. Their secrets are shown once, when they are created. */
@Injectable()
export class Webhooks {
  constructor(
    private readonly store: WebhookStore,
    private readonly sealing: SealingKeys,
  ) {}

  /** Returns all webhooks, ordered by name. */
  async list(): Promise<Webhook[]> {
    return (await this.store.list()).map(withoutSecret);
  }

  /** @throws InvalidWebhookName, InvalidEventType, TooManyWebhooks, WebhookExists */
  async create(name: string, eventType: string, now = new Date()): Promise<WebhookWithSecret> {
    if (!WEBHOOK_NAME.test(name)) throw new InvalidWebhookName();
    if (!EVENT_TYPE.test(eventType)) throw new InvalidEventType('malformed');
    if (isReservedType(eventType)) throw new InvalidEventType('reserved');
    const webhook = { name, eventType, enabled: true, createdAt: now, lastReceivedAt: null };
    const secret = newSecret();
    const sealedSecret = await this.seal(name, secret);
    const outcome = await this.store.add({ ...webhook, sealedSecret });
    if (outcome === 'full') throw new TooManyWebhooks();
    if (outcome === 'taken') throw new WebhookExists(name);
    return { ...webhook, secret };
  }

  /** @throws WebhookNotFound */
  async setEnabled(name: string, enabled: boolean): Promise<Webhook> {
    if (!(await this.store.setEnabled(name, enabled))) throw new WebhookNotFound(name);
    return withoutSecret(await this.get(name));
  }

  /** Makes a new secret; the previous one is no longer valid. @throws WebhookNotFound */
  async rotate(name: string): Promise<WebhookWithSecret> {
    const secret = newSecret();
    if (!(await this.store.setSecret(name, await this.seal(name, secret)))) throw new WebhookNotFound(name);
    return { ...withoutSecret(await this.get(name)), secret };
  }

  /** @throws WebhookNotFound */
  async remove(name: string): Promise<void> {
    if (!(await this.store.delete(name))) throw new WebhookNotFound(name);
  }

  private async get(name: string): Promise<SealedWebhook> {
    const webhook = await this.store.find(name);
    if (!webhook) throw new WebhookNotFound(name);
    return webhook;
  }

  private async seal(name: string, secret: string): Promise<string> {
    return (await this.sealing.seal(secret, purposeOf(name))).sealed;
  }
}

const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

function withoutSecret({ sealedSecret: _sealed, ...webhook }: SealedWebhook): Webhook {
  return webhook;
}
