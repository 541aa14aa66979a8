export interface ClientTable {
  name: string;
  note: string;
  groups: string; // JSON
  limits: string; // JSON
  expires_at: string | null; // null = never
  created_at: string;
}

export interface ClientKeyTable {
  id: string;
  client: string;
  hash: string; // SHA-256, base64url
  shown: string; // the first characters of the key
  created_at: string;
  expires_at: string | null; // null = not before the client
}

/** The accounts of people and scripts that administrate. */
export interface AdministratorTable {
  name: string;
  role: string; // admin | editor | viewer
  password_hash: string; // empty = the environment says what the password is
  stamp: string; // changes when everything that the account has open must end
  created_at: string;
  password_changed_at: string;
  last_login_at: string | null;
}

export interface AdminSessionTable {
  id_hash: string;
  id: string;
  administrator: string;
  stamp: string; // the one that the account had at the login
  address: string;
  browser: string | null;
  created_at: string;
  expires_at: string;
}

export interface PolicyTable {
  name: string;
  policy: string; // Cedar
  compiled: string; // the same in Cedar's JSON format
  enabled: number;
  created_at: string;
  updated_at: string;
  updated_by: string; // name of the administrator
}

/** Entries are only added. `record` is the entry; the other columns but `hash` are derived from it. */
export interface AuditLogTable {
  seq: number; // without gaps
  at: string;
  kind: string;
  client: string | null;
  admin: string | null;
  subject: string | null;
  outcome: string;
  record: string; // JSON
  search: string; // the text that searches look in, in lower case
  hash: string; // SHA-256 of the previous hash and the record
}

/** One row: where the chain of the audit log ends, and the last entry that was deleted for its age. */
export interface AuditChainTable {
  id: number;
  head_seq: number;
  head_hash: string;
  anchor_seq: number;
  anchor_hash: string;
}

/** How many calls there were in a minute or an hour, of all, of a tool, or of a client. */
export interface CallCountTable {
  span: string; // minute | hour
  at: string; // its beginning
  of: string; // all | tool | client
  name: string;
  outcome: string;
  calls: number;
  latency: string; // JSON: the number of calls in each class of durations
}
