import { MOST_CHARACTERS, MOST_ENTRIES } from './audit-batch.rules.js';
import { ADMIN_CLIENT, type AuditEntry } from './audit-entry.js';
import { type PreparedRecord, toRecord } from './audit-record.rules.js';
import { AuditUnavailable } from './audit.errors.js';
import { packageUsedBy } from './used-package.rules.js';
import { type CountedCall, UNKNOWN_TOOL } from './call-count.rules.js';
import { countOf } from '../../platform/text/count-of.js';

export interface QueuedEntry {
  at: Date;
  record: PreparedRecord;
  /** The call to count; null when the entry is neither a call nor a use of a skill package. */
  call: CountedCall | null;
  settle: PromiseWithResolvers<void> | null;
}

export const MOST_QUEUED = 20_000;
const MOST_QUEUED_CHARACTERS = 32 * 1024 * 1024;

/** The queue of entries to write, within limits. A `gap` entry has the number of those that were dropped. */
export class AuditQueue {
  private entries: QueuedEntry[] = [];
  private characters = 0;
  private dropped: { count: number; from: Date; to: Date } | null = null;

  get isEmpty(): boolean {
    return this.size === 0;
  }

  get size(): number {
    return this.entries.length;
  }

  add(entry: AuditEntry, record: PreparedRecord, settle: QueuedEntry['settle']): void {
    // Awaited entries are few: only those of concurrent changes by administrators.
    if (
      settle === null &&
      (this.entries.length >= MOST_QUEUED || this.characters + record.json.length > MOST_QUEUED_CHARACTERS)
    ) {
      this.countDropped(entry.at);
      return;
    }
    this.noteDropped();
    this.push({ at: entry.at, record, call: callOf(entry), settle });
  }

  get hasAwaited(): boolean {
    return this.entries.some(({ settle }) => settle);
  }

  takeAwaited(): QueuedEntry[] {
    const awaited = this.entries.filter(({ settle }) => settle);
    this.entries = this.entries.filter(({ settle }) => !settle);
    this.characters -= charactersOf(awaited);
    return awaited;
  }

  /** Puts taken entries back, before all others. */
  requeue(entries: readonly QueuedEntry[]): void {
    this.entries = [...entries, ...this.entries];
    this.characters += charactersOf(entries);
  }

  /** Takes the entries to write next, oldest first; none when the queue is empty. */
  takeBatch(): QueuedEntry[] {
    let [count, characters] = [0, 0];
    for (const { record } of this.entries) {
      if (count >= MOST_ENTRIES || characters >= MOST_CHARACTERS) break;
      count += 1;
      characters += record.json.length;
    }
    this.characters -= characters;
    const taken = this.entries.slice(0, count);
    this.entries = this.entries.slice(count);
    if (this.entries.length === 0) this.noteDropped();
    return taken;
  }

  /** Rejects all promises of entries that cannot be written now. */
  rejectWaiting(error: AuditUnavailable): void {
    for (const { settle } of this.entries) settle?.reject(error);
  }

  /** Gives up taken entries. */
  drop(entries: readonly QueuedEntry[]): void {
    for (const { at } of entries) this.countDropped(at);
    if (this.isEmpty) this.noteDropped();
  }

  private countDropped(at: Date): void {
    const { count = 0, from = at } = this.dropped ?? {};
    this.dropped = { count: count + 1, from, to: at };
  }

  private noteDropped(): void {
    if (!this.dropped) return;
    const { count, from, to } = this.dropped;
    this.dropped = null;
    const message = `not recorded, because the database did not take them: ${countOf(count, 'entry', 'entries')} from ${from.toISOString()} to ${to.toISOString()}`;
    const gap: AuditEntry = { kind: 'gap', at: to, action: 'drop', outcome: 'error', message, count };
    this.push({ at: to, record: toRecord(gap), call: null, settle: null });
  }

  private push(entry: QueuedEntry): void {
    this.entries.push(entry);
    this.characters += entry.record.json.length;
  }
}

const charactersOf = (entries: readonly QueuedEntry[]): number =>
  entries.reduce((sum, { record }) => sum + record.json.length, 0);

// Trials by administrators are not counted: statistics are about clients.
function callOf(entry: AuditEntry): CountedCall | null {
  const { kind, at, subject, client, outcome, durationMs = 0, count = 1 } = entry;
  if (!client || client.name === ADMIN_CLIENT.name) return null;
  const skill = packageUsedBy(entry);
  const tool = kind === 'call' ? (subject ?? UNKNOWN_TOOL) : null;
  if (tool === null && skill === null) return null;
  return { at, tool, skill, client: client.name, outcome, durationMs, count };
}
