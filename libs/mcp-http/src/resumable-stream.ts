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

/** How many bytes of one stream are kept while it goes on, besides its last message. */
const MOST_BYTES = 1024 * 1024;

/** Where streams are recorded, and what happens when that fails. */
export interface Recording {
  journal: StreamJournal;
  /** A journal that takes longer to record counts as failed: a call waits for it. */
  withinMs: number;
  /** A journal that takes longer to be read counts as unreadable. */
  readWithinMs: number;
  onError: (error: unknown) => void;
}

/**
 * The record of one response stream, from which its client may resume. No method fails: when the journal cannot be written,
 * the stream continues, and what comes then is not in the record.
 */
export class ResumableStream {
  private streamId: string | null = null; // null until asked for: most responses never become a stream
  private seq = 0;
  private bytes = 0;
  /** The end of the messages that are dropped next, and the bytes that came after them. */
  private kept = { after: 0, bytes: 0 };
  private isOver = false;
  private isForgotten = false;

  constructor(
    private readonly recording: Recording,
    private readonly origin: StreamOrigin,
  ) {}

  /** Whether all of the stream is recorded so far. */
  get canBeResumed(): boolean {
    return !this.isOver;
  }

  get id(): string {
    return (this.streamId ??= randomBytes(12).toString('base64url'));
  }

  /** Returns whether the stream can be resumed from now on. */
  async open(): Promise<boolean> {
    await this.ask((journal) => journal.open(this.id, this.origin));
    return this.canBeResumed;
  }

  /** Returns the id of the message's event, and whether the client may resume from there. */
  async record(message: string): Promise<{ id: string; isRecorded: boolean }> {
    const seq = ++this.seq;
    const isRecorded = await this.ask((journal) => journal.append(this.id, seq, message));
    if (isRecorded) await this.count(seq, Buffer.byteLength(message));
    return { id: this.idOf(seq), isRecorded };
  }

  /** Records that no more comes, also when something is missing: those who wait for it are told. */
  async finish(): Promise<void> {
    if (!this.isForgotten) await this.try((journal) => journal.finish(this.id, this.bytes));
  }

  /** Records that the connection of the client took all of it. */
  async deliver(): Promise<void> {
    await this.ask((journal) => journal.deliver(this.id));
  }

  /** Has the oldest messages dropped, such as progress, when there are too many. The answer is the last of all. */
  private async count(seq: number, bytes: number): Promise<void> {
    this.bytes += bytes;
    this.kept.bytes += bytes;
    if (this.kept.bytes < MOST_BYTES / 2) return;
    const { after } = this.kept;
    if (after > 0 && (await this.ask((journal) => journal.forget(this.id, after)))) this.bytes = this.kept.bytes;
    this.kept = { after: seq, bytes: 0 };
  }

  /** Records nothing more: the session has ended, and its streams with it. */
  forget(): void {
    this.isOver = true;
    this.isForgotten = true;
  }

  /** Returns the messages that were recorded after number `seq`; null when they cannot be read now. */
  async after(seq: number): Promise<{ id: string; message: string }[] | null> {
    const { journal, readWithinMs, onError } = this.recording;
    try {
      const entries = await inTime(journal.after(this.id, seq), readWithinMs, 'the stream was not read');
      return entries.map((entry) => ({ id: this.idOf(entry.seq), message: entry.message }));
    } catch (error) {
      onError(error);
      return null;
    }
  }

  /** Returns the id of the event with number `seq`; 0 is the one before the first message. */
  idOf(seq: number): string {
    return eventIdOf({ streamId: this.id, seq });
  }

  /** Returns whether the journal did it. Once it did not, which is told once, it is asked for nothing more. */
  private async ask(task: (journal: StreamJournal) => Promise<void>): Promise<boolean> {
    return !this.isOver && this.try(task);
  }

  private async try(task: (journal: StreamJournal) => Promise<void>): Promise<boolean> {
    try {
      await inTime(task(this.recording.journal), this.recording.withinMs, 'the stream was not recorded');
      return true;
    } catch (error) {
      if (!this.isOver) this.recording.onError(error);
      this.isOver = true;
      return false;
    }
  }
}

/** Returns what the work returns. @throws Error when it takes longer than `limitMs`; its outcome is ignored then */
export async function inTime<Result>(work: Promise<Result>, limitMs: number, what: string): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${what} within ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
