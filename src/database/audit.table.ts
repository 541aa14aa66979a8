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
