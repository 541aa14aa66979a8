import type { Migration } from 'kysely/migration';

export const feeds: Migration = {
  async up(db) {
    await db.schema
      .createTable('feeds')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('url', 'text', (column) => column.notNull().unique())
      .addColumn('published_title', 'text')
      .addColumn('custom_title', 'text')
      .addColumn('description', 'text')
      .addColumn('site_url', 'text')
      .addColumn('folders', 'text', (column) => column.notNull())
      .addColumn('interval_minutes', 'integer')
      .addColumn('published_interval_minutes', 'integer')
      .addColumn('is_paused', 'integer', (column) => column.notNull())
      .addColumn('is_gone', 'integer', (column) => column.notNull())
      .addColumn('etag', 'text')
      .addColumn('last_modified', 'text')
      .addColumn('document_hash', 'text')
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('last_error', 'text')
      .addColumn('last_fetched_at', 'text')
      .addColumn('last_changed_at', 'text')
      .addColumn('next_poll_at', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('search', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('feeds_next_poll_at').on('feeds').column('next_poll_at').execute();
    await db.schema
      .createTable('feed_items')
      .addColumn('feed_id', 'text', (column) => column.notNull().references('feeds.id').onDelete('cascade'))
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('revision', 'text', (column) => column.notNull())
      .addColumn('url', 'text')
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('author', 'text')
      .addColumn('published_at', 'text')
      .addColumn('first_seen_at', 'text', (column) => column.notNull())
      .addColumn('sorted_at', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('summary', 'text', (column) => column.notNull())
      .addColumn('categories', 'text', (column) => column.notNull())
      .addColumn('is_in_document', 'integer', (column) => column.notNull())
      .addColumn('search', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('feed_items_pk', ['feed_id', 'id'])
      .execute();
    await db.schema
      .createIndex('feed_items_of_feed')
      .on('feed_items')
      .columns(['feed_id', 'sorted_at', 'id'])
      .execute();
    await db.schema
      .createIndex('feed_items_sorted_at')
      .on('feed_items')
      .columns(['sorted_at', 'feed_id', 'id'])
      .execute();
  },
};
