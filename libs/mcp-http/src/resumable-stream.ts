import { randomBytes } from 'node:crypto';
import type { StreamJournal, StreamOrigin } from './storage.js';

/** A place in a stream, as clients send it back in `Last-Event-ID`: `<stream>.<number>`. */
export interface StreamPosition {
  streamId: string | null; // null = the GET stream of the session
  seq: number;
}

const GET_STREAM = 'get';

export const eventIdOf = ({ streamId, seq }: StreamPosition): string => `${streamId ?? GET_STREAM}.${seq}`;

/** Returns the place that a `Last-Event-ID` names; null when it names none. */
export function parseEventId(id: string): StreamPosition | null {
  const match = /^([A-Za-z0-9_-]{1,64})\.(\d{1,15})$/.exec(id);
  if (!match) return null;
  const [, stream = GET_STREAM, seq] = match;
  return { streamId: stream === GET_STREAM ? null : stream, seq: Number(seq) };
}

/** Where streams are recorded, and what happens when that fails. */
export interface Recording {
  journal: StreamJournal;
  /** A journal that takes longer counts as failed. */
  withinMs: number;
  onError: (error: unknown) => void;
}

/**
 * The record of one response stream, from which its client may resume. No method fails: when the journal does, the stream
 * goes on and can no longer be resumed.
 */
export class ResumableStream {
  private streamId: string | null = null; // null until asked for: most responses never become a stream
  private seq = 0;
  private failed = false;

  constructor(
    private readonly recording: Recording,
    private readonly origin: StreamOrigin,
  ) {}

  get canBeResumed(): boolean {
    return !this.failed;
  }

  get id(): string {
    return (this.streamId ??= randomBytes(12).toString('base64url'));
  }

  /** The id of the event before the first message. */
  get startId(): string {
    return this.idOf(0);
  }

  /** Returns whether the stream can be resumed from now on. */
  async open(): Promise<boolean> {
    await this.ask((journal) => journal.open(this.id, this.origin));
    return this.canBeResumed;
  }

  /** Returns the id of the message's event; null when it could not be recorded. */
  async record(message: string): Promise<string | null> {
    const seq = ++this.seq;
    await this.ask((journal) => journal.append(this.id, seq, message));
    return this.canBeResumed ? this.idOf(seq) : null;
  }

  async finish(): Promise<void> {
    await this.ask((journal) => journal.finish(this.id));
  }

  /** Returns the messages that were recorded after number `seq`. */
  async after(seq: number): Promise<{ id: string; message: string }[]> {
    const entries = await this.ask((journal) => journal.after(this.id, seq));
    return (entries ?? []).map((entry) => ({ id: this.idOf(entry.seq), message: entry.message }));
  }

  private idOf(seq: number): string {
    return eventIdOf({ streamId: this.id, seq });
  }

  /** Returns what the journal answers; null once it has failed, which is told once. */
  private async ask<Result>(question: (journal: StreamJournal) => Promise<Result>): Promise<Result | null> {
    if (this.failed) return null;
    try {
      return await inTime(question(this.recording.journal), this.recording.withinMs);
    } catch (error) {
      this.failed = true;
      this.recording.onError(error);
      return null;
    }
  }
}

/** @throws Error when the work takes longer; its outcome is ignored then */
async function inTime<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`the stream was not recorded within ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
