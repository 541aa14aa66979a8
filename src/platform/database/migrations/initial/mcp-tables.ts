import type { ColumnTypes } from './column-types.js';

/** Settings, sessions and streams of the MCP endpoint, and messages between replicas. */
export const mcpTables = ({ sequence, dialect }: ColumnTypes): string[] => [
  `create table settings (key text primary key not null, value text not null, updated_at text not null)`,
  `create table secrets (name text primary key not null, value text not null, created_at text not null)`,
  `create table facts (name text primary key not null, value text not null, updated_at text not null)`,
  `create table former_versions (seq ${sequence}, kind text not null, address text not null, version integer not null,
    constraint former_versions_address unique (kind, address))`,
  `create table skill_states (name text primary key not null, enabled integer not null, updated_at text not null,
    timeout_ms integer, max_result_bytes integer)`,
  `create table mcp_sessions (id text primary key not null, client text not null, protocol_version text not null,
    client_name text, client_version text, initialize text not null, log_level text, event_seq bigint not null,
    created_at text not null, last_seen_at text not null, client_key text,
    answered_after bigint not null, answered_up_to bigint not null, open_stream text)`,
  `create index mcp_sessions_last_seen_at on mcp_sessions (last_seen_at, id)`,
  `create index mcp_sessions_client on mcp_sessions (client, last_seen_at, id)`,
  // URIs may exceed PostgreSQL's limit for index entries: hence the hash.
  `create table mcp_subscriptions (session_id text not null references mcp_sessions (id) on delete cascade,
    uri_hash text not null, uri text not null, constraint mcp_subscriptions_pk primary key (session_id, uri_hash))`,
  `create table mcp_events (seq ${sequence}, kind text not null, uri text, created_at text not null)`,
  `create table mcp_streams (id text primary key not null,
    session_id text not null references mcp_sessions (id) on delete cascade, requests text not null,
    finished integer not null, created_at text not null, finished_at text, process text default '' not null,
    bytes bigint default 0 not null, delivered integer default 0 not null)`,
  // Without this index, deleting a session would scan the whole table for its streams.
  `create index mcp_streams_session_id on mcp_streams (session_id)`,
  `create table mcp_stream_events (stream_id text not null references mcp_streams (id) on delete cascade,
    seq integer not null, message text, constraint mcp_stream_events_pk primary key (stream_id, seq))`,
  `create table replicas (id text primary key not null, seen_at_ms bigint not null)`,
  `create table mcp_relayed (seq ${sequence}, session_id text not null, messages text not null,
    created_at text not null)`,
  `create index mcp_relayed_session_id on mcp_relayed (session_id)`,
  // Only replicas share these counts, and they share a PostgreSQL. rate-limiter-flexible prescribes the columns and their order.
  // Unlogged, because unauthenticated callers cause the writes, and the counts are worthless after a crash.
  ...(dialect === 'sqlite'
    ? []
    : [
        `create unlogged table attempts (key varchar(255) primary key, points integer default 0 not null, expire bigint)`,
      ]),
];
