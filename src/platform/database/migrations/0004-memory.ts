import type { Migration } from 'kysely/migration';
import { addSequenceKey, dialectOf } from '../../sql/dialect.js';
import { createTextIndex } from '../../text/text-index.js';

export const memory: Migration = {
  async up(db) {
    await addSequenceKey(db.schema.createTable('memory_entries'), 'id', dialectOf(db))
      .addColumn('namespace', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('content_hash', 'text', (column) => column.notNull())
      .addColumn('tags', 'text', (column) => column.notNull())
      .addColumn('importance', 'integer', (column) => column.notNull())
      .addColumn('client', 'text', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text')
      .addUniqueConstraint('memory_entries_key', ['namespace', 'key'])
      .execute();
    await db.schema
      .createIndex('memory_entries_content_hash')
      .on('memory_entries')
      .columns(['namespace', 'content_hash'])
      .execute();
    await db.schema.createIndex('memory_entries_expires_at').on('memory_entries').column('expires_at').execute();
    await db.schema
      .createTable('memory_history')
      .addColumn('entry_id', 'bigint', (column) => column.notNull().references('memory_entries.id').onDelete('cascade'))
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('tags', 'text', (column) => column.notNull())
      .addColumn('importance', 'integer', (column) => column.notNull())
      .addColumn('client', 'text', (column) => column.notNull())
      .addColumn('saved_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('memory_history_pk', ['entry_id', 'version'])
      .execute();
    await createTextIndex(db, 'memory_index', 'memory_entries');
  },
};
