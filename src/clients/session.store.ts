import { Injectable } from '@nestjs/common';
import type { Selectable } from 'kysely';
import type { LogLevel } from '#skill-kit';
import { Database } from '../database/database.js';
import { type Page, type PageRequest, parseCursor, toPage } from '../database/page-cursor.js';
import type { McpSessionTable } from '../database/tables.js';
import type { Session } from './session.js';

const COLUMNS = [
  'id',
  'client',
  'protocol_version',
  'client_name',
  'client_version',
  'initialize',
  'log_level',
  'subscriptions',
  'event_seq',
  'created_at',
  'last_seen_at',
] as const;

/** The rows of MCP sessions. Changes to a session that is gone do nothing. */
@Injectable()
export class SessionStore {
  constructor(private readonly database: Database) {}

  async find(id: string): Promise<Session | undefined> {
    const row = await this.database.selectFrom('mcp_sessions').select(COLUMNS).where('id', '=', id).executeTakeFirst();
    return row && toSession(row);
  }

  async create(session: Session): Promise<void> {
    await this.database.insertInto('mcp_sessions').values(toRow(session)).execute();
  }

  async update(id: string, change: Partial<Omit<McpSessionTable, 'id'>>): Promise<void> {
    await this.database.updateTable('mcp_sessions').set(change).where('id', '=', id).execute();
  }

  /** Whether there was one. */
  async delete(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.database
      .deleteFrom('mcp_sessions')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  /** How many there were. */
  async deleteIdle(before: Date): Promise<number> {
    const { numDeletedRows } = await this.database
      .deleteFrom('mcp_sessions')
      .where('last_seen_at', '<', before.toISOString())
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  /** The one seen last comes first. */
  async listPage({ limit, cursor }: PageRequest): Promise<Page<Session>> {
    let query = this.database
      .selectFrom('mcp_sessions')
      .select(COLUMNS)
      .orderBy('last_seen_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1);
    if (cursor !== undefined) {
      const [seen = '', id = ''] = parseCursor(cursor, 2);
      query = query.where((where) => where(where.refTuple('last_seen_at', 'id'), '<', where.tuple(seen, id)));
    }
    const sessions = (await query.execute()).map(toSession);
    return toPage(sessions, limit, (session) => [session.lastSeenAt.toISOString(), session.id]);
  }

  async count(): Promise<number> {
    const { total } = await this.database
      .selectFrom('mcp_sessions')
      .select(({ fn }) => fn.countAll<number | string>().as('total'))
      .executeTakeFirstOrThrow();
    return Number(total);
  }
}

function toSession(row: Selectable<McpSessionTable>): Session {
  return {
    id: row.id,
    client: row.client,
    protocolVersion: row.protocol_version,
    clientName: row.client_name,
    clientVersion: row.client_version,
    initialize: JSON.parse(row.initialize) as object,
    logLevel: row.log_level as LogLevel | null,
    subscriptions: JSON.parse(row.subscriptions) as string[],
    eventSeq: row.event_seq,
    createdAt: new Date(row.created_at),
    lastSeenAt: new Date(row.last_seen_at),
  };
}

function toRow(session: Session): McpSessionTable {
  return {
    id: session.id,
    client: session.client,
    protocol_version: session.protocolVersion,
    client_name: session.clientName,
    client_version: session.clientVersion,
    initialize: JSON.stringify(session.initialize),
    log_level: session.logLevel,
    subscriptions: JSON.stringify(session.subscriptions),
    event_seq: session.eventSeq,
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
  };
}
