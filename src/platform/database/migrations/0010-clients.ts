import type { Migration } from 'kysely/migration';

export const clients: Migration = {
  async up(db) {
    await db.schema
      .createTable('clients')
      .addColumn('name', 'text', (column) => column.primaryKey().notNull())
      .addColumn('note', 'text', (column) => column.notNull())
      .addColumn('groups', 'text', (column) => column.notNull())
      .addColumn('limits', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('client_keys')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('client', 'text', (column) => column.notNull().references('clients.name').onDelete('cascade'))
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('shown', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text')
      .execute();
    await db.schema.createIndex('client_keys_client').on('client_keys').column('client').execute();
    // Also of the client `default`, which has no row in `clients`: hence no reference.
    await db.schema
      .createTable('client_uses')
      .addColumn('client', 'text', (column) => column.primaryKey().notNull())
      .addColumn('used_at', 'text', (column) => column.notNull())
      .addColumn('address', 'text')
      .addColumn('program', 'text', (column) => column.notNull())
      .execute();
    await db.schema.alterTable('mcp_sessions').addColumn('client_key', 'text').execute();
    await db.schema
      .createIndex('mcp_sessions_client')
      .on('mcp_sessions')
      .columns(['client', 'last_seen_at', 'id'])
      .execute();
  },
};
