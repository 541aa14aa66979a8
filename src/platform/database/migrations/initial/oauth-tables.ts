/** Registered programs, the grants of people who signed in with them, and their tokens. */
export const oauthTables = (): string[] => [
  `create table oauth_programs (id text not null primary key, metadata text not null, is_listed integer not null,
    created_at text not null, used_at text)`,
  `create table oauth_grants (id text not null primary key, person text not null references administrators (name) on delete cascade,
    program text not null, name text not null, host text not null, proven text not null, payload text not null, created_at text not null, used_at text, expires_at text not null)`,
  'create index oauth_grants_person on oauth_grants (person)',
  'create index oauth_grants_program on oauth_grants (program)',
  'create index oauth_grants_created on oauth_grants (created_at desc, id)',
  'create index oauth_grants_end on oauth_grants (expires_at)',
  `create table oauth_artifacts (kind text not null, id_hash text not null, grant_id text, payload text not null,
    created_at text not null, consumed_at text, expires_at text not null,
    constraint oauth_artifacts_pk primary key (kind, id_hash))`,
  'create index oauth_artifacts_grant on oauth_artifacts (grant_id)',
  'create index oauth_artifacts_end on oauth_artifacts (expires_at)',
];
