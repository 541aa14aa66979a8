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

/** The accounts of people, and of scripts that administrate. */
export interface AdministratorTable {
  name: string;
  role: string; // admin | editor | viewer | member
  groups: string; // JSON
  disabled: number;
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
  provider: string | null; // where the person logged in; null = here
  created_at: string;
  expires_at: string;
}

/** The OpenID Connect providers at which people log in. */
export interface LoginProviderTable {
  name: string;
  title: string;
  issuer: string;
  client_id: string;
  secret: string | null; // sealed
  scopes: string; // JSON
  person_claim: string;
  groups_claim: string | null;
  rules: string; // JSON
  makes_accounts: number;
  default_role: string;
  enabled: number;
  created_at: string;
}

/** Who the people of accounts are at providers. */
export interface AccountIdentityTable {
  id: string;
  issuer: string;
  subject: string;
  account: string;
  created_at: string;
  claims_at: string | null; // when the token was issued whose groups the account has last got
}

/** Login attempts that were used, until they would be over anyway. */
export interface LoginUseTable {
  state: string;
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
/** Entries of the audit log that were written together. */
export interface AuditBatchTable {
  first_seq: number; // of its entries, which count from 1 without gaps
  last_seq: number;
  from_ms: number; // the earliest and the latest time of its entries
  to_ms: number;
  deleted_to_seq: number | null; // up to where old entries were deleted, as an entry of it says; null = none does
  deleted_to_hash: string | null;
  hash: string; // SHA-256 of the previous hash and the text
  body: Uint8Array; // the text, compressed: one JSON in a line for each entry
}

/** Which batches hold entries of a client, an administrator, a subject, an outcome or a kind. */
export interface AuditTermTable {
  first_seq: number; // of the batch
  term: string; // such as `c:<client>`
  to_ms: number; // of the batch
  n: number; // how many of its entries
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
