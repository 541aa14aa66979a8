import type { AuditEntry } from './audit-entry.js';

interface Refusals {
  entry: AuditEntry;
  /** Number of those that no entry tells of yet. */
  untold: number;
}

const MOST_SENDERS = 1_000;

/**
 * Counts refused keys and logins, of which anybody can send any number: the first one of each address is recorded at once,
 * and the others once a minute with their number. Beyond 1,000 addresses in a minute, all others are counted together.
 */
export class RefusalCounts {
  private senders = new Map<string, Refusals>();

  constructor(private readonly record: (entry: AuditEntry) => void) {}

  add(entry: AuditEntry): void {
    const key = JSON.stringify([entry.kind, entry.outcome, entry.address]);
    const known = this.senders.get(key);
    if (known) {
      known.untold += 1;
      known.entry = entry;
      return;
    }
    if (this.senders.size >= MOST_SENDERS && entry.address !== null) {
      return this.add({ ...entry, address: null, admin: null, message: 'from many addresses' });
    }
    this.senders.set(key, { entry, untold: 0 });
    this.record({ ...entry, count: 1 });
  }

  /** Records what has been counted since the last time. */
  tell(): void {
    const senders = this.senders;
    this.senders = new Map();
    for (const { entry, untold } of senders.values()) if (untold > 0) this.record({ ...entry, count: untold });
  }
}
