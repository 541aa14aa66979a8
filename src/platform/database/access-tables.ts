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
  expires_at: string | null; // null = when the client expires
}

/** The accounts of people, and of administrative scripts. */
export interface AdministratorTable {
  name: string;
  role: string; // admin | editor | viewer | member
  groups: string; // JSON
  disabled: number;
  password_hash: string; // empty = the environment provides the password
  stamp: string; // changed to end everything that the account has open
  created_at: string;
  password_changed_at: string;
  last_login_at: string | null;
}

export interface AdminSessionTable {
  id_hash: string;
  id: string;
  administrator: string;
  stamp: string; // the account's stamp at login
  address: string;
  browser: string | null;
  provider: string | null; // provider of the login; null = the local password
  created_at: string;
  expires_at: string;
}

/** The OpenID Connect providers through which people log in. */
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

export interface AccountIdentityTable {
  id: string;
  issuer: string;
  subject: string;
  account: string;
  created_at: string;
  claims_at: string | null; // issue time of the token from which the account last got its groups
}

/** Used login attempts, until they would expire anyway. */
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

/** Entries of the audit log that were written together. */
export interface AuditBatchTable {
  first_seq: number; // of its entries, which are numbered from 1 without gaps
  last_seq: number;
  from_ms: number; // earliest and latest time of its entries
  to_ms: number;
  deleted_to_seq: number | null; // the last old entry that an entry in this batch reports as deleted; null = none does
  deleted_to_hash: string | null;
  hash: string; // SHA-256 of the previous hash and the text
  body: Uint8Array; // the text, compressed: one line of JSON per entry
}

/** The batches with entries of a client, an administrator, a subject, an outcome or a kind. */
export interface AuditTermTable {
  first_seq: number; // of the batch
  term: string; // such as `c:<client>`
  to_ms: number; // of the batch
  n: number; // number of its entries
}

/** One row: the end of the audit log's hash chain, and the last entry deleted because of its age. */
export interface AuditChainTable {
  id: number;
  head_seq: number;
  head_hash: string;
  anchor_seq: number;
  anchor_hash: string;
}

/** Number of calls per minute or hour: in total, of a tool, or of a client. */
export interface CallCountTable {
  span: string; // minute | hour
  at: string; // start of the span
  of: string; // all | tool | client
  name: string;
  outcome: string;
  calls: number;
  latency: string; // JSON: the number of calls in each latency class
}
