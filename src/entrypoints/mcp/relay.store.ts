import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
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

  /** Notes that a replica is at work now, by the clock of the database, which is the same for all. */
  async saveSeen(id: string): Promise<void> {
    await sql`insert into replicas (id, seen_at_ms) values (${id}, ${NOW_MS})
      on conflict (id) do update set seen_at_ms = excluded.seen_at_ms`.execute(this.database);
  }

  /** Returns whether a replica was seen within so many milliseconds. */
  async wasSeenWithin(id: string, ms: number): Promise<boolean> {
    const { rows } = await sql`select id from replicas where id = ${id} and seen_at_ms > ${NOW_MS} - ${ms}`.execute(
      this.database,
    );
    return rows.length > 0;
  }

  /** Returns how many replicas were seen within so many milliseconds. */
  async countSeenWithin(ms: number): Promise<number> {
    const { rows } = await sql`select id from replicas where seen_at_ms > ${NOW_MS} - ${ms}`.execute(this.database);
    return rows.length;
  }

  async forget(id: string): Promise<void> {
    await this.database.deleteFrom('replicas').where('id', '=', id).execute();
  }

  /** Forgets the replicas that were not seen for so long. */
  async forgetUnseenFor(ms: number): Promise<void> {
    await sql`delete from replicas where seen_at_ms < ${NOW_MS} - ${ms}`.execute(this.database);
  }
}

const NOW_MS = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

function toMessages({ session_id: sessionId, messages }: { session_id: string; messages: string }): RelayedMessages {
  return { sessionId, messages: JSON.parse(messages) as ClientMessage[] };
}
