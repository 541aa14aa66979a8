import { Injectable } from '@nestjs/common';
import { type Selectable, sql } from 'kysely';
import type { Changes, ClaimBasis, SubscriptionsChange, Delivered } from '#mcp-http';
import type { LogLevel } from '#skill-kit';
import { Database } from '../../platform/database/database.js';
import type { McpSessionTable } from '../../platform/database/tables.js';
import { mapPage, type Page, type PageRequest } from '../../platform/paging/page-cursor.js';
import { affectedRows, countRows, hasEffect } from '../../platform/sql/affected-rows.js';
import { readPage } from '../../platform/sql/read-page.js';
import { inParts } from '../../platform/periodic/in-parts.js';
import { lockUntilCommit } from '../../platform/sql/dialect.js';
import { personName } from './person.js';
import type { NewSession, Session, SessionSummary } from './session.js';
import { addSubscriptions, removeSubscriptions, subscriptionsOf } from './subscription.table.js';

const SUMMARY = [
  'id',
  'client',
  'client_key',
  'protocol_version',
  'client_name',
  'client_version',
  'created_at',
  'last_seen_at',
] as const;
const DELIVERED = ['event_seq', 'answered_after', 'answered_up_to'] as const;
const COLUMNS = [...SUMMARY, 'initialize', 'log_level', 'open_stream', ...DELIVERED] as const;

/** A session with a larger `initialize`, as earlier versions stored, counts as ended; its client opens a new one. */
const LARGEST_INITIALIZE = 262_144;

const DELETED_AT_ONCE = 200;

/** Programs choose their names; this many characters are enough to distinguish them. */
const LONGEST_NAME = 200;

/** Selects sessions that nobody has used since `before`. */
export interface UnusedSessions {
  client: string | null; // null = every client
  before: Date;
  limit: number;
}

export interface SessionsRequest extends PageRequest {
  client?: string | undefined; // undefined = every client
}

/** Reads and writes the rows of MCP sessions. Updating a session that no longer exists does nothing. */
@Injectable()
export class SessionStore {
  constructor(private readonly database: Database) {}

  async find(id: string): Promise<Session | undefined> {
    const [session] = await this.listByIds([id]);
    return session;
  }

  async listByIds(ids: readonly string[]): Promise<Session[]> {
    const rows = await this.database
      .selectFrom('mcp_sessions')
      .select(COLUMNS)
      .where('id', 'in', ids)
      .where((where) => where(where.fn<number>('length', ['initialize']), '<=', LARGEST_INITIALIZE))
      .execute();
    if (rows.length === 0) return [];
    const found = rows.map(({ id }) => id);
    const subscriptions = await subscriptionsOf(this.database, found);
    return rows.map((row) => toSession(row, subscriptions.get(row.id) ?? []));
  }

  async create(session: NewSession): Promise<void> {
    await this.database.insertInto('mcp_sessions').values(toRow(session)).execute();
  }

  touch(id: string, at: Date): Promise<void> {
    return this.update(id, { last_seen_at: at.toISOString() });
  }

  saveLogLevel(id: string, logLevel: LogLevel): Promise<void> {
    return this.update(id, { log_level: logLevel });
  }

  saveSubscriptions(id: string, { added, removed }: SubscriptionsChange): Promise<void> {
    return this.database.transaction().execute(async (transaction) => {
      // Without the lock, two replicas that change the same rows in different orders could deadlock.
      await lockUntilCommit(transaction, `mcp_sessions:${id}`);
      const session = await transaction.selectFrom('mcp_sessions').select('id').where('id', '=', id).executeTakeFirst();
      if (!session) return;
      await removeSubscriptions(transaction, id, removed);
      await addSubscriptions(transaction, id, added);
    });
  }

  /**
   * Records the stream of a session. Returns the changes of which its client was notified; undefined when there is no such
   * session.
   */
  async openStream(id: string, name: string): Promise<Delivered | undefined> {
    const row = await this.database
      .updateTable('mcp_sessions')
      .set({ open_stream: name })
      .where('id', '=', id)
      .returning(DELIVERED)
      .executeTakeFirst();
    return row && toDelivered(row);
  }

  /** Records that a stream is closed, and the last change that it sent, unless the session has another stream. */
  async closeStream(id: string, name: string, seq: number): Promise<void> {
    await this.database
      .updateTable('mcp_sessions')
      .set((eb) => ({
        event_seq: eb.case().when('event_seq', '<', seq).then(seq).else(eb.ref('event_seq')).end(),
        open_stream: eb.fn<string | null>('nullif', ['open_stream', eb.val(name)]),
      }))
      .where('id', '=', id)
      .execute();
  }

  /**
   * Records the changes that are sent with answers, and that the session has no stream. Returns false, and records nothing, when
   * the client was notified of changes or opened a stream since `known` was read.
   */
  async claimChanges(id: string, known: ClaimBasis, { after, upTo }: Changes): Promise<boolean> {
    return hasEffect(
      this.database
        .updateTable('mcp_sessions')
        .set({ event_seq: upTo, answered_after: after, answered_up_to: upTo, open_stream: null })
        .where('id', '=', id)
        .where('event_seq', '<=', known.eventSeq)
        .where('open_stream', 'is not distinct from', known.openStream),
    );
  }

  /** Deletes a session; returns whether it existed. */
  async delete(id: string): Promise<boolean> {
    return hasEffect(this.database.deleteFrom('mcp_sessions').where('id', '=', id));
  }

  /** Deletes the sessions of a client, or those that were opened with one of its keys. */
  async deleteOf(client: string, key?: string): Promise<void> {
    let query = this.database.deleteFrom('mcp_sessions').where('client', '=', client);
    if (key !== undefined) query = query.where('client_key', '=', key);
    await query.execute();
  }

  /**
   * Deletes the sessions that were opened with keys of named clients that are no longer valid; those of people have no keys.
   * @param among only sessions of these clients; absent = of all, which reads every session
   */
  async deleteWithoutKey(now: Date, among?: readonly string[]): Promise<void> {
    const at = now.toISOString();
    const sessions = this.database.deleteFrom('mcp_sessions');
    await (among ? sessions.where('client', 'in', among) : sessions)
      .where('client_key', 'is not', null)
      .where('client', 'not like', personName('%'))
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('client_keys as key')
              .innerJoin('clients', 'clients.name', 'key.client')
              .select('key.id')
              .whereRef('key.client', '=', 'mcp_sessions.client')
              .whereRef('key.shown', '=', 'mcp_sessions.client_key')
              .where((of) => of.or([of('key.expires_at', 'is', null), of('key.expires_at', '>', at)]))
              .where((of) => of.or([of('clients.expires_at', 'is', null), of('clients.expires_at', '>', at)])),
          ),
        ),
      )
      .execute();
  }

  /** Deletes the sessions that nobody has used since `before`, in batches; returns their number. */
  deleteIdle(before: Date): Promise<number> {
    return inParts(DELETED_AT_ONCE, (limit) => this.deleteUnused({ client: null, before, limit }));
  }

  /** Deletes up to `limit` unused sessions, longest unused first; returns their number. */
  async deleteUnused({ client, before, limit }: UnusedSessions): Promise<number> {
    const isUnused = sql<boolean>`last_seen_at < ${before.toISOString()}`;
    let unused = this.database
      .selectFrom('mcp_sessions')
      .select('id')
      .where(isUnused)
      .orderBy('last_seen_at')
      .limit(limit);
    if (client !== null) unused = unused.where('client', '=', client);
    return affectedRows(
      this.database
        .deleteFrom('mcp_sessions')
        .where('id', 'in', unused)
        // PostgreSQL selects once, and then waits for a request that uses a session.
        .where(isUnused),
    );
  }

  /** Returns one page of the sessions of all clients, or of one, last used first. */
  async listPage({ client, ...page }: SessionsRequest): Promise<Page<SessionSummary>> {
    let query = this.database.selectFrom('mcp_sessions').select(SUMMARY);
    if (client !== undefined) query = query.where('client', '=', client);
    return mapPage(await readPage(query, page, { by: ['last_seen_at', 'id'], isDescending: true }), toSummary);
  }

  /** Counts the sessions of one client, or of all clients when `client` is null. */
  count(client: string | null = null): Promise<number> {
    const sessions = this.database.selectFrom('mcp_sessions');
    return countRows(client === null ? sessions : sessions.where('client', '=', client));
  }

  private async update(id: string, change: Partial<Omit<McpSessionTable, 'id'>>): Promise<void> {
    await this.database.updateTable('mcp_sessions').set(change).where('id', '=', id).execute();
  }
}

function toSummary(row: Pick<Selectable<McpSessionTable>, (typeof SUMMARY)[number]>): SessionSummary {
  return {
    id: row.id,
    client: row.client,
    key: row.client_key,
    protocolVersion: row.protocol_version,
    clientName: row.client_name,
    clientVersion: row.client_version,
    createdAt: new Date(row.created_at),
    lastSeenAt: new Date(row.last_seen_at),
  };
}

function toSession(row: Selectable<McpSessionTable>, subscriptions: string[]): Session {
  return {
    ...toSummary(row),
    initialize: JSON.parse(row.initialize) as object,
    logLevel: row.log_level as LogLevel | null,
    subscriptions,
    ...toDelivered(row),
    openStream: row.open_stream,
  };
}

function toDelivered(row: Pick<Selectable<McpSessionTable>, (typeof DELIVERED)[number]>): Delivered {
  return { eventSeq: row.event_seq, answered: { after: row.answered_after, upTo: row.answered_up_to } };
}

function toRow(session: NewSession): McpSessionTable {
  return {
    id: session.id,
    client: session.client,
    client_key: session.key,
    protocol_version: session.protocolVersion,
    ...programOf(session.initialize),
    initialize: JSON.stringify(session.initialize),
    log_level: session.logLevel,
    event_seq: session.eventSeq,
    answered_after: session.eventSeq,
    answered_up_to: session.eventSeq,
    open_stream: null,
    created_at: session.lastSeenAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
  };
}

function programOf(initialize: object): Pick<McpSessionTable, 'client_name' | 'client_version'> {
  const { clientInfo } = initialize as { clientInfo?: { name?: unknown; version?: unknown } };
  return { client_name: textOrNull(clientInfo?.name), client_version: textOrNull(clientInfo?.version) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, LONGEST_NAME).toWellFormed() : null;
}
