/** Feeds and their items. */
export const feedTables = (): string[] => [
  `create table feeds (id text primary key not null, url text not null unique, published_title text,
    custom_title text, description text, site_url text, folders text not null, interval_minutes integer,
    published_interval_minutes integer, is_paused integer not null, is_gone integer not null, etag text,
    last_modified text, document_hash text, failures integer not null, last_error text, last_fetched_at text,
    last_changed_at text, next_poll_at text, created_at text not null, search text not null)`,
  `create index feeds_next_poll_at on feeds (next_poll_at)`,
  `create table feed_items (feed_id text not null references feeds (id) on delete cascade, id text not null,
    revision text not null, url text, title text not null, author text, published_at text,
    first_seen_at text not null, sorted_at text not null, content text not null, summary text not null,
    categories text not null, is_in_document integer not null, search text not null,
    constraint feed_items_pk primary key (feed_id, id))`,
  `create index feed_items_of_feed on feed_items (feed_id, sorted_at, id)`,
  `create index feed_items_sorted_at on feed_items (sorted_at, feed_id, id)`,
  `create index feed_items_out_of_document on feed_items (sorted_at) where is_in_document = 0`,
];
