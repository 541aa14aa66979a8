import type { RequestId } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import type { JournaledStream, StreamJournal, StreamOrigin } from '#mcp-http';
import { Database } from '../../platform/database/database.js';

/** The messages of resumable response streams, so that none is lost when a connection is cut or the service restarts. */
@Injectable()
export class StreamJournalStore implements StreamJournal {
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
        created_at: new Date().toISOString(),
        finished_at: null,
      })
      .execute();
  }

  async append(streamId: string, seq: number, message: string): Promise<void> {
    await this.database.insertInto('mcp_stream_events').values({ stream_id: streamId, seq, message }).execute();
  }

  async finish(streamId: string): Promise<void> {
    const finished = { finished: 1, finished_at: new Date().toISOString() };
    await this.database.updateTable('mcp_streams').set(finished).where('id', '=', streamId).execute();
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

  /** Removes what finished before `finishedBefore`, and what was opened before `openedBefore` and has not been seen to finish. */
  async prune({ finishedBefore, openedBefore }: { finishedBefore: Date; openedBefore: Date }): Promise<void> {
    await this.database
      .deleteFrom('mcp_streams')
      .where((eb) =>
        eb.or([
          eb('finished_at', '<', finishedBefore.toISOString()),
          eb.and([eb('finished_at', 'is', null), eb('created_at', '<', openedBefore.toISOString())]),
        ]),
      )
      .execute();
  }
}
