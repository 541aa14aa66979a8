import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { addSequenceKey, dialectOf } from '../../sql/dialect.js';

const AT_ONCE = 200;

/** What replicas need to serve the sessions and calls of each other. */
export const replicas: Migration = {
  async up(db) {
    await db.schema
      .createTable('replicas')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('seen_at_ms', 'bigint', (column) => column.notNull())
      .execute();
    await addSequenceKey(db.schema.createTable('mcp_relayed'), 'seq', dialectOf(db))
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('messages', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('mcp_relayed_session_id').on('mcp_relayed').column('session_id').execute();
    // Which of them served the calls that are recorded so far is not known; none is at work any more.
    await db.schema
      .alterTable('mcp_streams')
      .addColumn('process', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await db.schema
      .createTable('mcp_subscriptions')
      .addColumn('session_id', 'text', (column) => column.notNull().references('mcp_sessions.id').onDelete('cascade'))
      // URIs are longer than an index of PostgreSQL allows.
      .addColumn('uri_hash', 'text', (column) => column.notNull())
      .addColumn('uri', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('mcp_subscriptions_pk', ['session_id', 'uri_hash'])
      .execute();
    await moveSubscriptions(db);
    await db.schema.alterTable('mcp_sessions').dropColumn('subscriptions').execute();
  },
};

async function moveSubscriptions(db: Kysely<unknown>): Promise<void> {
  let last = '';
  for (;;) {
    const { rows } = await sql<{ id: string; subscriptions: string }>`select id, subscriptions from mcp_sessions
      where id > ${last} order by id limit ${AT_ONCE}`.execute(db);
    for (const { id, subscriptions } of rows) {
      for (const uri of new Set(JSON.parse(subscriptions) as string[])) {
        await sql`insert into mcp_subscriptions (session_id, uri_hash, uri)
          values (${id}, ${hash('sha256', uri)}, ${uri})`.execute(db);
      }
      last = id;
    }
    if (rows.length < AT_ONCE) return;
  }
}
