import { Injectable } from '@nestjs/common';
import type { ClientMessage } from '#mcp-http';
import { Database } from '../../platform/database/database.js';
import { dialectOf, sharedTime } from '../../platform/sql/dialect.js';

/** Messages of a client for a call that another replica may be serving. */
export interface RelayedMessages {
  sessionId: string;
  messages: readonly ClientMessage[];
}

/** Messages per read when some may have been missed. */
const MOST_MISSED = 1_000;

/** Messages between replicas in their PostgreSQL that are too large for NOTIFY, or only read on demand. */
@Injectable()
export class RelayStore {
  constructor(private readonly database: Database) {}

  /** Returns the number by which other replicas find the messages. */
  async append({ sessionId, messages }: RelayedMessages): Promise<number> {
    const { seq } = await this.database
      .insertInto('mcp_relayed')
      .values({ session_id: sessionId, messages: JSON.stringify(messages), created_at: this.ago(0) })
      .returning('seq')
      .executeTakeFirstOrThrow();
    return Number(seq);
  }

  async find(seq: number): Promise<RelayedMessages | null> {
    const row = await this.database.selectFrom('mcp_relayed').selectAll().where('seq', '=', seq).executeTakeFirst();
    return row ? toMessages(row) : null;
  }

  /** Returns the messages of the last milliseconds, oldest first. */
  async listLatest(ms: number): Promise<RelayedMessages[]> {
    const rows = await this.database
      .selectFrom('mcp_relayed')
      .selectAll()
      .where('created_at', '>=', this.ago(ms))
      .orderBy('seq', 'desc')
      .limit(MOST_MISSED)
      .execute();
    return rows.map(toMessages).reverse();
  }

  async deleteOlderThan(ms: number): Promise<void> {
    await this.database.deleteFrom('mcp_relayed').where('created_at', '<', this.ago(ms)).execute();
  }

  private ago(ms: number) {
    return sharedTime(dialectOf(this.database), new Date(), -ms);
  }
}

function toMessages({ session_id: sessionId, messages }: { session_id: string; messages: string }): RelayedMessages {
  return { sessionId, messages: JSON.parse(messages) as ClientMessage[] };
}
