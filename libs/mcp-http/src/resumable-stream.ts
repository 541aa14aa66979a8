import { randomBytes } from 'node:crypto';
import type { StreamJournal, StreamOrigin } from './storage.js';

/** A position in a stream, as clients return it in `Last-Event-ID`: `<stream>.<number>`. */
export interface StreamPosition {
  streamId: string | null; // null = the GET stream of the session
  seq: number;
}

const GET_STREAM = 'get';

export const eventIdOf = ({ streamId, seq }: StreamPosition): string => `${streamId ?? GET_STREAM}.${seq}`;

/** Parses a `Last-Event-ID`; null when it is not a position. */
export function parseEventId(id: string): StreamPosition | null {
  const match = /^([A-Za-z0-9_-]{1,64})\.(\d{1,15})$/.exec(id);
  if (!match) return null;
  const [, stream = GET_STREAM, seq] = match;
  return { streamId: stream === GET_STREAM ? null : stream, seq: Number(seq) };
}

/** How many bytes of an open stream are kept, besides its last message. */
const MOST_BYTES = 1024 * 1024;

/** Where and how streams are recorded. */
export interface Recording {
  journal: StreamJournal;
  /** Timeout for a journal write, which a call waits for. */
  withinMs: number;
  /** Timeout for a journal read. */
  readWithinMs: number;
  onError: (error: unknown) => void;
}

/**
 * The recording of one response stream, from which its client may resume. No method fails: when the journal cannot be written,
 * the stream continues without being recorded.
 */
export class ResumableStream {
  private streamId: string | null = null; // null until requested: most responses never become a stream
  private seq = 0;
  private bytes = 0;
  /** The last message of the next part to drop, and the bytes recorded after it. */
  private kept = { after: 0, bytes: 0 };
  private isOver = false;
  private isForgotten = false;

  constructor(
    private readonly recording: Recording,
    private readonly origin: StreamOrigin,
  ) {}

  /** True while the whole stream is recorded. */
  get canBeResumed(): boolean {
    return !this.isOver;
  }

  get id(): string {
    return (this.streamId ??= randomBytes(12).toString('base64url'));
  }

  /** Returns whether the stream is resumable from now on. */
  async open(): Promise<boolean> {
    await this.ask((journal) => journal.open(this.id, this.origin));
    return this.canBeResumed;
  }

  /** Returns the event id of the message, and whether the client may resume from it. */
  async record(message: string): Promise<{ id: string; isRecorded: boolean }> {
    const seq = ++this.seq;
    const isRecorded = await this.ask((journal) => journal.append(this.id, seq, message));
    if (isRecorded) await this.count(seq, Buffer.byteLength(message));
    return { id: this.idOf(seq), isRecorded };
  }

  /** Records that the stream has ended, even if messages are missing: waiting clients are notified. */
  async finish(): Promise<void> {
    if (!this.isForgotten) await this.try((journal) => journal.finish(this.id, this.bytes));
  }

  /** Records that the client's connection took the whole stream. */
  async deliver(): Promise<void> {
    await this.ask((journal) => journal.deliver(this.id));
  }

  /** Drops the oldest messages, such as progress, when there are too many. The response comes last. */
  private async count(seq: number, bytes: number): Promise<void> {
    this.bytes += bytes;
    this.kept.bytes += bytes;
    if (this.kept.bytes < MOST_BYTES / 2) return;
    const { after } = this.kept;
    if (after > 0 && (await this.ask((journal) => journal.forget(this.id, after)))) this.bytes = this.kept.bytes;
    this.kept = { after: seq, bytes: 0 };
  }

  /** Stops recording: the session has ended, and its streams with it. */
  forget(): void {
    this.isOver = true;
    this.isForgotten = true;
  }

  /** Returns the messages recorded after number `seq`; null when they cannot be read now. */
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

  /** Returns the id of the event with number `seq`; 0 precedes the first message. */
  idOf(seq: number): string {
    return eventIdOf({ streamId: this.id, seq });
  }

  /** Returns whether the journal succeeded. After its first failure, which is reported once, it is not used again. */
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

/** Awaits work with a timeout. @throws Error after `limitMs`; a later outcome is ignored */
export async function inTime<Result>(work: Promise<Result>, limitMs: number, what: string): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${what} within ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
