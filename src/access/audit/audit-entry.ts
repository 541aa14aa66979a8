import type { Client, JsonObject } from '#skill-kit';

/** The client under which administrators call skills and start runs. */
export const ADMIN_CLIENT = { name: 'admin', groups: [] } as const satisfies Client;

/** What an entry is about. `gap`: missing entries; `retention`: deleted old entries. */
export const AUDIT_KINDS = [
  'call',
  'read',
  'prompt',
  'wrong_key',
  'login',
  'logout',
  'login_failed',
  'webhook_refused',
  'change',
  'gap',
  'retention',
] as const;

export type AuditKind = (typeof AUDIT_KINDS)[number];

export interface ChainLink {
  seq: number;
  hash: string;
}

/** An event to log. Nobody may change the objects it refers to afterwards. */
export interface AuditEntry {
  kind: AuditKind;
  at: Date;
  client?: Client | null;
  /** The name of the administrator who did it, or the name of a failed login. */
  admin?: string | null;
  /** `callTool`, `readResource`, `getPrompt`, or the id of an operation of the administration. */
  action: string;
  /** The affected tool, URI, prompt or path. */
  subject?: string | null;
  decision?: { allowed: boolean; policies: readonly string[] } | null;
  approvedBy?: string | null;
  arguments?: unknown;
  /** Marks the arguments that are secrets. */
  inputSchema?: JsonObject | null;
  outcome: string;
  /** URI, id or name of the created or changed object, or of the object that a prompt shows, unless the subject names it. */
  resource?: string | null;
  message?: string | null;
  durationMs?: number;
  address?: string | null;
  /** The number of events, when one entry stands for several. */
  count?: number;
  deletedTo?: ChainLink;
  /** The state before and after a change; undefined = unknown. */
  before?: unknown;
  after?: unknown;
}

/** An entry as it is stored: a line of JSON in the text of its batch, without unknown members. */
export interface AuditRecord {
  /** Version of this format. */
  v: 1;
  at: string;
  kind: AuditKind;
  client?: string;
  groups?: readonly string[];
  admin?: string;
  action: string;
  subject?: string;
  decision?: 'allow' | 'deny';
  policies?: readonly string[];
  approvedBy?: string;
  outcome: string;
  /** URI, id or name of the created or changed object. */
  resource?: string;
  message?: string;
  durationMs?: number;
  arguments?: unknown;
  /** Present when a part of the arguments was left out, cut or redacted. */
  argumentsCut?: true;
  run?: string;
  workflow?: string;
  session?: string;
  program?: string;
  programVersion?: string;
  protocol?: string;
  /** The part of the key that may be shown. */
  key?: string;
  address?: string;
  traceId?: string;
  count?: number;
  deletedTo?: ChainLink;
  before?: unknown;
  after?: unknown;
}

/** An entry of the log with its place in the chain. */
export interface AuditItem extends AuditRecord {
  /** Counts from 1, without gaps. */
  seq: number;
  /** The hash of the batch that holds the entry: SHA-256 of the hash before, a line break, and the text of the batch. */
  hash: string;
}

/** Entries that were written together, with the input of their hash. */
export interface AuditBatch {
  firstSeq: number;
  lastSeq: number;
  /** The hash of the batch before; 64 zeros before the first one. */
  previousHash: string;
  hash: string;
  /** The records as they were written, one per line, beginning with the entry `firstSeq`. */
  text: string;
}
