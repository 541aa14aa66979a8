import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { addSequenceKey, dialectOf } from '../../sql/dialect.js';

export const initial: Migration = {
  async up(db) {
    await createSettings(db);
    await createMcp(db);
    await createAdministration(db);
  },
};

async function createSettings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('secrets')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('skill_states')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute();
}

async function createMcp(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mcp_sessions')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('client', 'text', (column) => column.notNull())
    .addColumn('protocol_version', 'text', (column) => column.notNull())
    .addColumn('client_name', 'text')
    .addColumn('client_version', 'text')
    .addColumn('initialize', 'text', (column) => column.notNull())
    .addColumn('log_level', 'text')
    .addColumn('subscriptions', 'text', (column) => column.notNull())
    .addColumn('event_seq', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('last_seen_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('mcp_sessions_last_seen_at').on('mcp_sessions').columns(['last_seen_at', 'id']).execute();
  await addSequenceKey(db.schema.createTable('mcp_events'), 'seq', dialectOf(db))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('uri', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('mcp_streams')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('session_id', 'text', (column) => column.notNull().references('mcp_sessions.id').onDelete('cascade'))
    .addColumn('requests', 'text', (column) => column.notNull())
    .addColumn('finished', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  // Without this index, deleting a session would read the whole table to find its streams.
  await db.schema.createIndex('mcp_streams_session_id').on('mcp_streams').column('session_id').execute();
  await db.schema
    .createTable('mcp_stream_events')
    .addColumn('stream_id', 'text', (column) => column.notNull().references('mcp_streams.id').onDelete('cascade'))
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('message', 'text')
    .addPrimaryKeyConstraint('mcp_stream_events_pk', ['stream_id', 'seq'])
    .execute();
}

async function createAdministration(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('admin_sessions')
    .addColumn('id_hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('facts')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute();
}
