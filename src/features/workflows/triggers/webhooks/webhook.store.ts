import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database.js';
import { type AddOutcome, addIfRoom, insertIfAbsent } from '../../../../platform/database/new-row.table.js';
import type { WebhookTable } from '../../../../platform/database/workflow-tables.js';
import { hasEffect } from '../../../../platform/sql/affected-rows.js';
import { MAX_WEBHOOKS, type Webhook } from './webhook.js';

export interface SealedWebhook extends Webhook {
  sealedSecret: string;
}

/** Reads and writes webhooks, and the ids of their accepted messages. */
@Injectable()
export class WebhookStore {
  constructor(private readonly database: Database) {}

  /** Returns all webhooks, ordered by name. */
  async list(): Promise<SealedWebhook[]> {
    const rows = await this.database.selectFrom('webhooks').selectAll().execute();
    return rows.map(toWebhook).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async find(name: string): Promise<SealedWebhook | undefined> {
    const row = await this.database.selectFrom('webhooks').selectAll().where('name', '=', name).executeTakeFirst();
    return row && toWebhook(row);
  }

  /** Adds a webhook, unless the limit is reached. */
  add(webhook: SealedWebhook): Promise<AddOutcome> {
    return addIfRoom(this.database, 'webhooks', toRow(webhook), MAX_WEBHOOKS);
  }

  /** Enables or disables a webhook; returns whether it exists. */
  setEnabled(name: string, enabled: boolean): Promise<boolean> {
    return this.update(name, { enabled: enabled ? 1 : 0 });
  }

  /** Replaces the secret of a webhook; returns whether it exists. */
  setSecret(name: string, sealedSecret: string): Promise<boolean> {
    return this.update(name, { secret: sealedSecret });
  }

  /** Deletes a webhook and the ids of its messages. Returns whether it existed. */
  async delete(name: string): Promise<boolean> {
    return hasEffect(this.database.deleteFrom('webhooks').where('name', '=', name));
  }

  async hasMessage(webhook: string, id: string): Promise<boolean> {
    const row = await this.database
      .selectFrom('webhook_messages')
      .select('message_id')
      .where('webhook', '=', webhook)
      .where('message_id', '=', id)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Records a message. Returns false when it was already recorded, by any replica. */
  async addMessage(webhook: string, id: string, receivedAt: Date): Promise<boolean> {
    const at = receivedAt.toISOString();
    const message = { webhook, message_id: id, received_at: at };
    if (!(await insertIfAbsent(this.database, 'webhook_messages', message))) return false;
    await this.update(webhook, { last_received_at: at });
    return true;
  }

  /** Deletes the messages received before a time. */
  async pruneMessages(before: Date): Promise<void> {
    await this.database.deleteFrom('webhook_messages').where('received_at', '<', before.toISOString()).execute();
  }

  private async update(name: string, change: Partial<WebhookTable>): Promise<boolean> {
    return hasEffect(this.database.updateTable('webhooks').set(change).where('name', '=', name));
  }
}

function toWebhook(row: WebhookTable): SealedWebhook {
  return {
    name: row.name,
    eventType: row.event_type,
    enabled: row.enabled === 1,
    createdAt: new Date(row.created_at),
    lastReceivedAt: row.last_received_at === null ? null : new Date(row.last_received_at),
    sealedSecret: row.secret,
  };
}

function toRow(webhook: SealedWebhook): WebhookTable {
  return {
    name: webhook.name,
    event_type: webhook.eventType,
    secret: webhook.sealedSecret,
    enabled: webhook.enabled ? 1 : 0,
    created_at: webhook.createdAt.toISOString(),
    last_received_at: webhook.lastReceivedAt?.toISOString() ?? null,
  };
}
