import { Injectable } from '@nestjs/common';
import type { ClientMessage } from '#mcp-http';
import { Database } from '../../platform/database/database.js';

/** What a client sent for a call that another replica may be serving. */
export interface RelayedMessages {
  sessionId: string;
  messages: readonly ClientMessage[];
}

/** Messages that are read at once when some may have been missed. */
const MOST_MISSED = 1_000;

/** What replicas leave for each other on their PostgreSQL: too large to be told, or to be read when it is needed. */
@Injectable()
export class RelayStore {
  constructor(private readonly database: Database) {}

  /** Returns the number under which the others find the messages. */
  async append({ sessionId, messages }: RelayedMessages): Promise<number> {
    const { seq } = await this.database
      .insertInto('mcp_relayed')
      .values({ session_id: sessionId, messages: JSON.stringify(messages), created_at: new Date().toISOString() })
      .returning('seq')
      .executeTakeFirstOrThrow();
    return Number(seq);
  }

  async find(seq: number): Promise<RelayedMessages | null> {
    const row = await this.database.selectFrom('mcp_relayed').selectAll().where('seq', '=', seq).executeTakeFirst();
    return row ? toMessages(row) : null;
  }

  /** Returns the latest messages, the oldest first. */
  async listSince(since: Date): Promise<RelayedMessages[]> {
    const rows = await this.database
      .selectFrom('mcp_relayed')
      .selectAll()
      .where('created_at', '>=', since.toISOString())
      .orderBy('seq', 'desc')
      .limit(MOST_MISSED)
      .execute();
    return rows.map(toMessages).reverse();
  }

  async deleteBefore(before: Date): Promise<void> {
    await this.database.deleteFrom('mcp_relayed').where('created_at', '<', before.toISOString()).execute();
  }
}

function toMessages({ session_id: sessionId, messages }: { session_id: string; messages: string }): RelayedMessages {
  return { sessionId, messages: JSON.parse(messages) as ClientMessage[] };
}
