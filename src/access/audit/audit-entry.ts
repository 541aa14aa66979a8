import type { Client, JsonObject } from '#skill-kit';

/** In whose name administrators call skills and start runs. */
export const ADMIN_CLIENT = { name: 'admin', groups: [] } as const satisfies Client;

/** What an entry is about. `gap`: entries that are missing; `retention`: old entries that were deleted. */
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

/** A place in the chain. */
export interface ChainLink {
  seq: number;
  hash: string;
}

/** Something that happened, as it is handed to the log. Nobody may change what it refers to afterwards. */
export interface AuditEntry {
  kind: AuditKind;
  at: Date;
  /** Who did it: a client. */
  client?: Client | null;
  /** Who did it: the name of an administrator, or the name that somebody tried to log in with. */
  admin?: string | null;
  /** `callTool`, `readResource`, `getPrompt`, or the id of an operation of the administration. */
  action: string;
  /** The tool, URI, prompt or path that it was done to. */
  subject?: string | null;
  decision?: { allowed: boolean; policies: readonly string[] } | null;
  /** Who confirmed the call. */
  approvedBy?: string | null;
  arguments?: unknown;
  /** Says which arguments are secrets. */
  inputSchema?: JsonObject | null;
  outcome: string;
  /** URI, id or name of what was made or changed, or of what a prompt shows, when the subject does not say it. */
  resource?: string | null;
  message?: string | null;
  durationMs?: number;
  address?: string | null;
  /** How often it happened, when one entry stands for several events. */
  count?: number;
  /** The last one of the old entries that were deleted. */
  deletedTo?: ChainLink;
  /** The state before and after a change; undefined = not known. */
  before?: unknown;
  after?: unknown;
}

/** An entry as it is stored: a line of JSON in the text of its batch, in which members that are not known are left out. */
export interface AuditRecord {
  /** Version of this form. */
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
  /** Who confirmed the call. */
  approvedBy?: string;
  outcome: string;
  /** URI, id or name of what was made or changed. */
  resource?: string;
  message?: string;
  durationMs?: number;
  arguments?: unknown;
  /** Whether something of the arguments was left out, cut or redacted. */
  argumentsCut?: true;
  run?: string;
  workflow?: string;
  session?: string;
  program?: string;
  programVersion?: string;
  protocol?: string;
  /** What may be shown of the key. */
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

/** Entries that were written together, with all that their hash is made of. */
export interface AuditBatch {
  firstSeq: number;
  lastSeq: number;
  /** The hash of the batch before; 64 zeros before the first one. */
  previousHash: string;
  hash: string;
  /** The records as they were written, one in a line: the first line is the entry `firstSeq`. */
  text: string;
}
