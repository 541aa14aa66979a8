import { hash } from 'node:crypto';
import { type CallOrigin, UNKNOWN_ORIGIN } from '#skill-kit';
import type { AuditEntry, AuditRecord, ChainLink } from './audit-entry.js';
import { ARGUMENTS, keptOf, keptText, STATE } from './redaction.rules.js';

const LONGEST_TEXT = 300;
const LONGEST_MESSAGE = 1_000;
const LONGEST_SUBJECT = 2_048;
/** Characters of the subject that are found by their index: PostgreSQL takes at most 2,704 bytes. */
const LONGEST_INDEXED = 500;
const LONGEST_SEARCHED = 4_000;
const MOST_NAMES = 50;

/** What the first entry is chained to. */
export const BEGINNING: ChainLink = { seq: 0, hash: '0'.repeat(64) };

/** An entry that is ready to be stored, once its place in the chain is known. */
export interface PreparedRecord {
  /** The record as JSON, without `seq`. */
  json: string;
  columns: RecordColumns;
}

/** The columns that are derived from the record. */
export interface RecordColumns {
  at: string;
  kind: string;
  client: string | null;
  admin: string | null;
  subject: string | null;
  outcome: string;
  search: string;
}

/** Returns an entry as it is stored: without secrets, and of limited size. */
export function toRecord(entry: AuditEntry): PreparedRecord {
  const { client = null, decision = null } = entry;
  const origin: CallOrigin = client?.origin ?? UNKNOWN_ORIGIN;
  const args = entry.arguments === undefined ? null : keptOf(entry.arguments, entry.inputSchema ?? null, ARGUMENTS);
  const record: Omit<AuditRecord, 'seq'> = {
    v: 1,
    at: entry.at.toISOString(),
    kind: entry.kind,
    ...(client && { client: short(client.name), groups: client.groups.slice(0, MOST_NAMES).map(short) }),
    ...texts({ admin: entry.admin }),
    action: short(entry.action),
    ...(entry.subject != null && { subject: keptText(entry.subject, LONGEST_SUBJECT) }),
    ...(decision && {
      decision: decision.allowed ? ('allow' as const) : ('deny' as const),
      policies: decision.policies.slice(0, MOST_NAMES).map(short),
    }),
    ...texts({ approvedBy: entry.approvedBy }),
    outcome: short(entry.outcome),
    ...texts({ resource: entry.resource }),
    ...(entry.message != null && { message: keptText(entry.message, LONGEST_MESSAGE) }),
    ...(entry.durationMs !== undefined && { durationMs: Math.round(entry.durationMs * 100) / 100 }),
    ...(args?.isCut && { argumentsCut: true as const }),
    ...texts({
      run: origin.run?.id,
      workflow: origin.run?.workflow,
      session: origin.sessionId,
      program: origin.program,
      programVersion: origin.programVersion,
      protocol: origin.protocolVersion,
      key: origin.key,
      address: entry.address ?? origin.address,
      traceId: origin.traceId,
    }),
    ...(entry.count !== undefined && { count: entry.count }),
    ...(entry.deletedTo && { deletedTo: { seq: entry.deletedTo.seq, hash: entry.deletedTo.hash } }),
  };
  const parts = [
    ...(args ? [`"arguments":${args.json}`] : []),
    ...(entry.before === undefined ? [] : [`"before":${keptOf(entry.before, null, STATE).json}`]),
    ...(entry.after === undefined ? [] : [`"after":${keptOf(entry.after, null, STATE).json}`]),
  ];
  const json = `${[JSON.stringify(record).slice(0, -1), ...parts].join(',')}}`;
  return { json, columns: columnsOf(record, parts.join(' ')) };
}

/** Returns a prepared record as JSON, with its place in the chain. */
export const numbered = ({ json }: PreparedRecord, seq: number): string => `{"seq":${seq},${json.slice(1)}`;

/** Returns the hash of an entry: SHA-256, in hexadecimal, of the hash before, a line break, and the stored JSON. */
export const linkHash = (previousHash: string, record: string): string =>
  hash('sha256', `${previousHash}\n${record}`, 'hex');

/** Returns a stored record; null for what the log has not written. */
export function parsedRecord(json: string): AuditRecord | null {
  try {
    return JSON.parse(json) as AuditRecord | null;
  } catch {
    return null;
  }
}

/** Returns the columns that belong to a stored record. */
export function columnsOfRecord(record: AuditRecord): RecordColumns {
  const { arguments: args, before, after } = record;
  const parts = Object.entries({ arguments: args, before, after })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `"${name}":${JSON.stringify(value)}`);
  return columnsOf(record, parts.join(' '));
}

function columnsOf(record: Omit<AuditRecord, 'seq'>, parts: string): RecordColumns {
  const { at, kind, client = null, admin = null, subject = null, outcome, message = '' } = record;
  const searched = [subject ?? '', client ?? '', admin ?? '', message, parts].join(' ');
  // Lower case can be longer.
  const search = searched.slice(0, LONGEST_SEARCHED).toLowerCase().slice(0, LONGEST_SEARCHED).toWellFormed();
  return { at, kind, client, admin, subject: subject && indexed(subject), outcome, search };
}

/** Returns the part of a subject that is in its column. */
export const indexed = (subject: string): string => subject.slice(0, LONGEST_INDEXED).toWellFormed();

const short = (text: string): string => keptText(text, LONGEST_TEXT);

function texts<Name extends string>(values: Record<Name, string | null | undefined>): { [Key in Name]?: string } {
  const kept: { [Key in Name]?: string } = {};
  for (const name in values) {
    const value = values[name];
    if (value != null) kept[name] = short(value);
  }
  return kept;
}
