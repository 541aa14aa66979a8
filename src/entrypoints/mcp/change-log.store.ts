import { Injectable } from '@nestjs/common';
import type { ChangeEvent, ChangeLog, ListChanged, LoggedChange } from '#mcp-http';
import { Database } from '../../platform/database/database.js';
import { lockUntilCommit } from '../../platform/sql/dialect.js';

/** Number of kept changes. A client that missed more is notified that everything changed. */
const KEPT_EVENTS = 10_000;
/** Rows per INSERT: databases limit its parameters. */
const AT_ONCE = 200;

/** The log of recent changes for notifying clients. Stored in the database, so that streams can be resumed after a restart. */
@Injectable()
export class ChangeLogStore implements ChangeLog {
  constructor(private readonly database: Database) {}

  append(...events: ChangeEvent[]): Promise<number> {
    // Numbers become visible in order, so a reader that has read up to a number has missed no earlier one.
    return this.database.transaction().execute(async (transaction) => {
      await lockUntilCommit(transaction, 'mcp_events');
      const at = new Date().toISOString();
      let latest = 0;
      for (let start = 0; start < events.length; start += AT_ONCE) {
        const rows = events.slice(start, start + AT_ONCE).map((event) => toRow(event, at));
        const inserted = await transaction.insertInto('mcp_events').values(rows).returning('seq').execute();
        latest = Math.max(latest, ...inserted.map(({ seq }) => seq));
      }
      return latest;
    });
  }

  async latest(): Promise<number> {
    const row = await this.database
      .selectFrom('mcp_events')
      .select((eb) => eb.fn.max('seq').as('seq'))
      .executeTakeFirst();
    return Number(row?.seq ?? 0);
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
    if (first && first.seq > seq + 1 && (await this.latest()) - seq > KEPT_EVENTS) return null;
    return rows.map((row) => ({ seq: row.seq, event: toEvent(row) }));
  }

  async prune(): Promise<void> {
    const oldest = (await this.latest()) - KEPT_EVENTS;
    if (oldest > 0) await this.database.deleteFrom('mcp_events').where('seq', '<=', oldest).execute();
  }
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
