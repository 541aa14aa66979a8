/** Clients with their keys, policies, administrators, and the counts of calls. */
export const accessTables = (): string[] => [
  `create table clients (name text primary key not null, note text not null, groups text not null,
    limits text not null, expires_at text, created_at text not null)`,
  `create table client_keys (id text primary key not null,
    client text not null references clients (name) on delete cascade, hash text not null unique,
    shown text not null, created_at text not null, expires_at text)`,
  `create index client_keys_client on client_keys (client)`,
  // Also of the client `default`, which has no row in `clients`: hence no reference.
  `create table client_uses (client text primary key not null, used_at text not null, address text,
    program text not null)`,
  `create table policies (name text primary key, policy text not null, compiled text not null,
    enabled integer not null, created_at text not null, updated_at text not null, updated_by text not null)`,
  `create table administrators (name text primary key not null, role text not null, groups text not null,
    disabled integer not null, password_hash text not null, stamp text not null, created_at text not null, password_changed_at text not null, last_login_at text)`,
  `create table admin_sessions (id_hash text primary key not null, id text not null unique,
    administrator text not null references administrators (name) on delete cascade, stamp text not null,
    address text not null, browser text, created_at text not null, expires_at text not null)`,
  `create index admin_sessions_administrator on admin_sessions (administrator, created_at)`,
  `create table call_counts (span text not null, at text not null, of text not null, name text not null,
    outcome text not null, calls bigint not null, latency text not null,
    constraint call_counts_key primary key (span, of, name, at, outcome))`,
  `create index call_counts_age on call_counts (span, at)`,
];
