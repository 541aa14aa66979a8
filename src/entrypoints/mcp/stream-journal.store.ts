import type { RequestId } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { JournaledStream, StreamJournal, StreamOrigin } from '#mcp-http';
import { Database } from '../../platform/database/database.js';
import { dialectOf, sharedTime } from '../../platform/sql/dialect.js';

/**
 * How many bytes of the ended streams of one session are kept, latest first: of delivered streams, whose data the connections
 * took, and of others. The last stream of each kind is kept regardless of its size.
 */
const KEPT_BYTES = { delivered: 1024 * 1024, others: 4 * 1024 * 1024 };
/** The same limit for all sessions together. */
const KEPT_OF_ALL_BYTES = 64 * 1024 * 1024;
/** Added to the size of each stream, so that their number is bounded, too. */
const STREAM_BYTES = 4 * 1024;
/** How many bytes a process writes between two checks of the limits. */
const TRIM_EVERY_BYTES = 256 * 1024;

/** The messages of resumable response streams, so that none is lost when a connection breaks or the service restarts. */
@Injectable()
export class StreamJournalStore implements StreamJournal {
  /** Bytes of streams that ended since the last check of the limits. */
  private newBytes = 0;

  constructor(private readonly database: Database) {}

  async open(streamId: string, { sessionId, requestIds, process }: StreamOrigin): Promise<void> {
    await this.database
      .insertInto('mcp_streams')
      .values({
        id: streamId,
        session_id: sessionId,
        requests: JSON.stringify(requestIds),
        process,
        finished: 0,
        created_at: this.ago(0),
        finished_at: null,
      })
      .execute();
  }

  async append(streamId: string, seq: number, message: string): Promise<void> {
    await this.database.insertInto('mcp_stream_events').values({ stream_id: streamId, seq, message }).execute();
  }

  async forget(streamId: string, seq: number): Promise<void> {
    await this.database
      .deleteFrom('mcp_stream_events')
      .where('stream_id', '=', streamId)
      .where('seq', '<=', seq)
      .execute();
  }

  async finish(streamId: string, bytes: number): Promise<void> {
    const finished = { finished: 1, finished_at: this.ago(0), bytes: bytes + STREAM_BYTES };
    await this.database.updateTable('mcp_streams').set(finished).where('id', '=', streamId).execute();
    this.newBytes += finished.bytes;
    if (this.newBytes < TRIM_EVERY_BYTES) return;
    this.newBytes = 0;
    // Not awaited. The housekeeping does the same for all sessions, and logs failures.
    this.trim(streamId).catch(() => (this.newBytes = TRIM_EVERY_BYTES));
  }

  async deliver(streamId: string): Promise<void> {
    await this.database.updateTable('mcp_streams').set({ delivered: 1 }).where('id', '=', streamId).execute();
  }

  async find(streamId: string): Promise<JournaledStream | null> {
    const row = await this.database
      .selectFrom('mcp_streams')
      .select(['session_id', 'requests', 'process', 'finished'])
      .where('id', '=', streamId)
      .executeTakeFirst();
    if (!row) return null;
    const requestIds = JSON.parse(row.requests) as RequestId[];
    return { sessionId: row.session_id, requestIds, process: row.process, finished: row.finished === 1 };
  }

  async after(streamId: string, seq: number): Promise<{ seq: number; message: string }[]> {
    const rows = await this.database
      .selectFrom('mcp_stream_events')
      .select(['seq', 'message'])
      .where('stream_id', '=', streamId)
      .where('seq', '>', seq)
      .orderBy('seq')
      .execute();
    return rows.flatMap((row) => (row.message === null ? [] : [{ seq: row.seq, message: row.message }]));
  }

  /**
   * Deletes the oldest ended streams beyond the limits per session and in total.
   * @param streamId the stream whose session is checked; by default all sessions
   */
  async trim(streamId: string | null = null): Promise<void> {
    const ofSession = sql`and session_id = (select session_id from mcp_streams where id = ${streamId})`;
    await sql`delete from mcp_streams where id in (
      select id from (
        select id, delivered,
          row_number() over of_session as place,
          sum(bytes) over of_session as of_session,
          sum(bytes) over (order by delivered, finished_at desc, id) as of_all
        from mcp_streams where finished = 1 ${streamId === null ? sql`` : ofSession}
        window of_session as (partition by session_id, delivered order by finished_at desc, id)) as ended
      where of_all > ${KEPT_OF_ALL_BYTES}
        or place > 1 and delivered = 1 and of_session > ${KEPT_BYTES.delivered}
        or place > 1 and delivered = 0 and of_session > ${KEPT_BYTES.others})`.execute(this.database);
  }

  /** Deletes streams that finished longer ago than `finishedMs`, and unfinished ones that were opened longer ago than `openedMs`. */
  async prune({ finishedMs, openedMs }: { finishedMs: number; openedMs: number }, now = new Date()): Promise<void> {
    await this.database
      .deleteFrom('mcp_streams')
      .where((eb) =>
        eb.or([
          eb('finished_at', '<', this.ago(finishedMs, now)),
          eb.and([eb('finished_at', 'is', null), eb('created_at', '<', this.ago(openedMs, now))]),
        ]),
      )
      .execute();
  }

  private ago(ms: number, now = new Date()) {
    return sharedTime(dialectOf(this.database), now, -ms);
  }
}
