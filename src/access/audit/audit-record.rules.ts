import { type CallOrigin, UNKNOWN_ORIGIN } from '#skill-kit';
import type { AuditEntry, AuditRecord } from './audit-entry.js';
import { ARGUMENTS, keptOf, keptText, STATE } from './redaction.rules.js';

const LONGEST_TEXT = 300;
const LONGEST_MESSAGE = 1_000;
const LONGEST_SUBJECT = 2_048;
/** Characters of a subject that filters compare: an index of PostgreSQL takes at most 2,704 bytes. */
const LONGEST_COMPARED = 500;
const LONGEST_SEARCHED = 4_000;
const MOST_NAMES = 50;

/** An entry that is ready to be stored. Its place in the chain is stored with its batch. */
export interface PreparedRecord {
  /** The record as JSON, in one line. */
  json: string;
  facts: RecordFacts;
}

export interface RecordFacts {
  /** ISO 8601. */
  at: string;
  kind: string;
  client: string | null;
  admin: string | null;
  /** The start of the subject. */
  subject: string | null;
  outcome: string;
}

/** Returns an entry as it is stored: without secrets, and of limited size. */
export function toRecord(entry: AuditEntry): PreparedRecord {
  const { client = null, decision = null } = entry;
  const origin: CallOrigin = client?.origin ?? UNKNOWN_ORIGIN;
  const args = entry.arguments === undefined ? null : keptOf(entry.arguments, entry.inputSchema ?? null, ARGUMENTS);
  // JSON leaves out undefined members.
  const record = {
    v: 1,
    at: entry.at.toISOString(),
    kind: entry.kind,
    client: shortOf(client?.name),
    groups: client?.groups.slice(0, MOST_NAMES).map(short),
    admin: shortOf(entry.admin),
    action: short(entry.action),
    subject: entry.subject == null ? undefined : keptText(entry.subject, LONGEST_SUBJECT),
    decision: decision === null ? undefined : decision.allowed ? 'allow' : 'deny',
    policies: decision?.policies.slice(0, MOST_NAMES).map(short),
    approvedBy: shortOf(entry.approvedBy),
    outcome: short(entry.outcome),
    resource: shortOf(entry.resource),
    message: entry.message == null ? undefined : keptText(entry.message, LONGEST_MESSAGE),
    durationMs: entry.durationMs === undefined ? undefined : Math.round(entry.durationMs * 100) / 100,
    argumentsCut: args?.isCut ? true : undefined,
    run: shortOf(origin.run?.id),
    workflow: shortOf(origin.run?.workflow),
    session: shortOf(origin.sessionId),
    program: shortOf(origin.program),
    programVersion: shortOf(origin.programVersion),
    protocol: shortOf(origin.protocolVersion),
    key: shortOf(origin.key),
    address: shortOf(entry.address ?? origin.address),
    traceId: shortOf(origin.traceId),
    count: entry.count,
    deletedTo: entry.deletedTo && { seq: entry.deletedTo.seq, hash: entry.deletedTo.hash },
  } satisfies Undefined<AuditRecord>;
  const parts = [
    ...(args ? [`"arguments":${args.json}`] : []),
    ...(entry.before === undefined ? [] : [`"before":${keptOf(entry.before, null, STATE).json}`]),
    ...(entry.after === undefined ? [] : [`"after":${keptOf(entry.after, null, STATE).json}`]),
  ];
  const json = `${[JSON.stringify(record).slice(0, -1), ...parts].join(',')}}`;
  return { json, facts: factsOf(record) };
}

/** Returns a stored record; null for text that the log has not written. */
export function parsedRecord(json: string): AuditRecord | null {
  try {
    const record = JSON.parse(json) as AuditRecord | null;
    return record !== null && hasFacts(record) ? record : null;
  } catch {
    return null;
  }
}

function hasFacts({ at, kind, outcome, client = '', admin = '', subject = '' }: AuditRecord): boolean {
  return [at, kind, outcome, client, admin, subject].every((value: unknown) => typeof value === 'string');
}

type Undefined<Type> = { [Name in keyof Type]: Type[Name] | undefined };
type RecordSource = Pick<AuditRecord, 'at' | 'kind' | 'outcome'> &
  Undefined<Pick<AuditRecord, 'client' | 'admin' | 'subject'>>;

export function factsOf({ at, kind, client, admin, subject, outcome }: RecordSource): RecordFacts {
  return {
    at,
    kind,
    client: client ?? null,
    admin: admin ?? null,
    subject: subject === undefined ? null : compared(subject),
    outcome,
  };
}

/** Returns the searched text of a record, in lower case. */
export function searchTextOf({ subject, client, admin, message, arguments: args, before, after }: AuditRecord): string {
  const parts = Object.entries({ arguments: args, before, after })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `"${name}":${JSON.stringify(value)}`);
  const searched = [subject ?? '', client ?? '', admin ?? '', message ?? '', parts.join(' ')].join(' ');
  return searched.slice(0, LONGEST_SEARCHED).toLowerCase();
}

export const compared = (subject: string): string => subject.slice(0, LONGEST_COMPARED).toWellFormed();

const short = (text: string): string => keptText(text, LONGEST_TEXT);
const shortOf = (text: string | null | undefined): string | undefined => (text == null ? undefined : short(text));
