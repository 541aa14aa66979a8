import type { AuditEntry } from './audit-entry.js';
import { compared } from './audit-record.rules.js';

/** How refusals are counted. */
export interface Counting {
  /** What all refusals of one kind to one sender have in common. */
  group: readonly (string | null | undefined)[];
  /** What tells refusals of a group apart: each has an entry and a count of its own. */
  apart: string;
  /** How many are told apart; all others of the group are counted together. */
  most: number;
  /** How an entry for those that are counted together differs. */
  together: Partial<AuditEntry>;
}

interface Refused {
  entry: AuditEntry;
  /** Number of those that no entry tells of yet. */
  untold: number;
}

const TOGETHER = '';

/**
 * Counts what is refused, of which anybody can send any number: the first of each kind is recorded at once, and the others
 * when `tell` is called, with their number.
 */
export class RefusalCounts {
  private groups = new Map<string, Map<string, Refused>>();

  constructor(private readonly record: (entry: AuditEntry) => void) {}

  add(entry: AuditEntry, { group, apart, most, together }: Counting): void {
    const key = JSON.stringify(group);
    const refused = this.groups.get(key) ?? new Map<string, Refused>();
    this.groups.set(key, refused);
    const own = JSON.stringify(compared(apart));
    const isOneMore = !refused.has(own) && refused.size >= most;
    const place = isOneMore ? TOGETHER : own;
    const told = isOneMore ? { ...entry, ...together } : entry;
    const known = refused.get(place);
    if (!known) this.record({ ...told, count: 1 });
    refused.set(place, { entry: withoutParts(told), untold: known ? known.untold + 1 : 0 });
  }

  /** Records what has been counted since the last time. */
  tell(): void {
    const { groups } = this;
    this.groups = new Map();
    for (const refused of groups.values()) {
      for (const { entry, untold } of refused.values()) if (untold > 0) this.record({ ...entry, count: untold });
    }
  }
}

/** Leaves out what may be large, because an entry is held until it is told. */
function withoutParts({
  arguments: _arguments,
  inputSchema: _schema,
  message,
  subject,
  ...entry
}: AuditEntry): AuditEntry {
  return {
    ...entry,
    ...(message != null && { message: own(message) }),
    ...(subject != null && { subject: own(subject) }),
  };
}

/** Returns the beginning of a text as a text of its own, which does not hold the memory of the whole. */
const own = (text: string): string => JSON.parse(JSON.stringify(compared(text))) as string;
