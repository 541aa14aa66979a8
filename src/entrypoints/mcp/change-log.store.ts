import { Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import type { ChangeEvent, ChangeLog, ListChanged, LoggedChange } from '#mcp-http';
import { Database } from '../../platform/database/database.js';
import type { Tables } from '../../platform/database/tables.js';
import { lockUntilCommit, skipSequence } from '../../platform/sql/dialect.js';

/** Number of kept changes. A client that missed more is notified that everything changed. */
const KEPT_EVENTS = 10_000;
/** Rows per INSERT: databases limit its parameters. */
const AT_ONCE = 200;
/** Other replicas may know this many more changes than this one. */
const KNOWN_TO_OTHERS = 1_000;
/** What clients are notified of when changes were lost, with what they had changed. */
const ALL_LISTS: readonly ChangeEvent[] = [
  { kind: 'tools_list_changed' },
  { kind: 'prompts_list_changed' },
  { kind: 'resources_list_changed' },
  { kind: 'task_changed', taskId: null },
];

/** The log of recent changes for notifying clients. Stored in the database, so that streams can be resumed after a restart. */
@Injectable()
export class ChangeLogStore implements ChangeLog {
  /** The highest number that this process knows: clients get only changes with higher ones. */
  private known = 0;

  constructor(private readonly database: Database) {}

  async append(...events: ChangeEvent[]): Promise<number> {
    // Numbers become visible in order, so a reader that has read up to a number has missed no earlier one.
    const latest = await this.database.transaction().execute(async (transaction) => {
      await lockUntilCommit(transaction, 'mcp_events');
      const last = await insert(transaction, events);
      if (last > this.known) return last;
      // An asynchronous standby has become the primary, without the latest changes and their numbers.
      await skipSequence(transaction, { table: 'mcp_events', column: 'seq', upTo: this.known + KNOWN_TO_OTHERS });
      return insert(transaction, [...ALL_LISTS, ...events]);
    });
    return this.note(latest);
  }

  async latest(): Promise<number> {
    const row = await this.database
      .selectFrom('mcp_events')
      .select((eb) => eb.fn.max('seq').as('seq'))
      .executeTakeFirst();
    return this.note(Number(row?.seq ?? 0));
  }

  async after(seq: number): Promise<LoggedChange[] | null> {
    const rows = await this.database
      .selectFrom('mcp_events')
      .select(['seq', 'kind', 'uri'])
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(KEPT_EVENTS + 1)
      .execute();
    // Until old changes are deleted, there may be more than clients get individually.
    if (rows.length > KEPT_EVENTS) return null;
    const [first] = rows;
    this.note(rows.at(-1)?.seq ?? 0);
    if (first && first.seq > seq + 1 && (await this.latest()) - seq > KEPT_EVENTS) return null;
    return rows.map((row) => ({ seq: row.seq, event: toEvent(row) }));
  }

  async prune(): Promise<void> {
    const oldest = (await this.latest()) - KEPT_EVENTS;
    if (oldest > 0) await this.database.deleteFrom('mcp_events').where('seq', '<=', oldest).execute();
  }

  private note(seq: number): number {
    this.known = Math.max(this.known, seq);
    return seq;
  }
}

/** Returns the number of the last change. */
async function insert(transaction: Transaction<Tables>, events: readonly ChangeEvent[]): Promise<number> {
  const at = new Date().toISOString();
  let latest = 0;
  for (let start = 0; start < events.length; start += AT_ONCE) {
    const rows = events.slice(start, start + AT_ONCE).map((event) => toRow(event, at));
    const inserted = await transaction.insertInto('mcp_events').values(rows).returning('seq').execute();
    latest = Math.max(latest, ...inserted.map(({ seq }) => seq));
  }
  return latest;
}

function toRow(event: ChangeEvent, at: string) {
  return { kind: event.kind, uri: subjectOf(event), created_at: at };
}

/** Returns the value of the column `uri`: the subject of the event, or the only client that it is for. */
function subjectOf(event: ChangeEvent): string | null {
  switch (event.kind) {
    case 'resource_updated':
      return event.uri;
    case 'task_changed':
      return event.taskId;
    default:
      return event.client ?? null;
  }
}

function toEvent({ kind, uri }: { kind: string; uri: string | null }): ChangeEvent {
  if (kind === 'task_changed') return { kind, taskId: uri };
  if (kind === 'resource_updated') return { kind, uri: uri ?? '' };
  return { kind: kind as ListChanged['kind'], ...(uri !== null && { client: uri }) };
}
