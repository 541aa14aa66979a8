import type { AuditEntry } from './audit-entry.js';
import { compared } from './audit-record.rules.js';

export interface Counting {
  /** The shared key of all refusals of one kind to one sender. */
  group: readonly (string | null | undefined)[];
  /** The key within a group: each has a separate entry and count. */
  apart: string;
  /** Maximum number of separate counts; all others of the group are counted together. */
  most: number;
  /** The changes of the entry for those that are counted together. */
  together: Partial<AuditEntry>;
}

interface Refused {
  entry: AuditEntry;
  /** Number of refusals that no entry covers yet. */
  unrecorded: number;
}

const TOGETHER = '';

/**
 * Counts refusals, which anybody can cause in any number. Records the first of each kind immediately, and the number of the
 * others when `flush` is called.
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
    const recorded = isOneMore ? { ...entry, ...together } : entry;
    const known = refused.get(place);
    if (!known) this.record({ ...recorded, count: 1 });
    refused.set(place, { entry: withoutParts(recorded), unrecorded: known ? known.unrecorded + 1 : 0 });
  }

  /** Records the refusals counted since the last call. */
  flush(): void {
    const { groups } = this;
    this.groups = new Map();
    for (const refused of groups.values()) {
      for (const { entry, unrecorded } of refused.values())
        if (unrecorded > 0) this.record({ ...entry, count: unrecorded });
    }
  }
}

/** Leaves out the parts that may be large, because the entry stays in memory until it is recorded. */
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

/** Copies the start of a text, so that it does not keep the whole text in memory. */
const own = (text: string): string => JSON.parse(JSON.stringify(compared(text))) as string;
