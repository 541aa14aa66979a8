import { randomBytes } from 'node:crypto';
import type { RequestId } from '@modelcontextprotocol/server';
import type { StreamJournal } from './storage.js';

/** A place in a stream, as clients send it back in `Last-Event-ID`: `<stream>.<number>`. */
export interface StreamPosition {
  /** Null: the GET stream of the session. */
  streamId: string | null;
  seq: number;
}

const GET_STREAM = 'get';

export const eventIdOf = ({ streamId, seq }: StreamPosition): string => `${streamId ?? GET_STREAM}.${seq}`;

export function parseEventId(id: string): StreamPosition | null {
  const match = /^([A-Za-z0-9_-]{1,64})\.(\d{1,15})$/.exec(id);
  if (!match) return null;
  const [, stream = GET_STREAM, seq] = match;
  return { streamId: stream === GET_STREAM ? null : stream, seq: Number(seq) };
}

/** One response stream and its record in the journal. */
export class ResumableStream {
  private streamId: string | null = null; // null until asked for: most responses never become a stream
  private seq = 0;

  constructor(
    private readonly journal: StreamJournal,
    private readonly sessionId: string,
    private readonly requestIds: RequestId[],
  ) {}

  get id(): string {
    return (this.streamId ??= randomBytes(12).toString('base64url'));
  }

  open(): Promise<void> {
    return this.journal.open(this.id, { sessionId: this.sessionId, requestIds: this.requestIds });
  }

  /** Returns the event's id. */
  async record(message: string): Promise<string> {
    const seq = ++this.seq;
    await this.journal.append(this.id, seq, message);
    return this.idOf(seq);
  }

  finish(): Promise<void> {
    return this.journal.finish(this.id);
  }

  async after(seq: number): Promise<{ id: string; message: string }[]> {
    const entries = await this.journal.after(this.id, seq);
    return entries.map((entry) => ({ id: this.idOf(entry.seq), message: entry.message }));
  }

  idOf(seq: number): string {
    return eventIdOf({ streamId: this.id, seq });
  }
}
