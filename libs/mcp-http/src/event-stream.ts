import type { ServerResponse } from 'node:http';
import { inTurns } from './turns.js';
import type { UnreadBytes } from './responses.js';

export const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  // Makes nginx forward events immediately.
  'X-Accel-Buffering': 'no',
} as const;

/**
 * Writes Server-Sent Events (WHATWG HTML, "Server-sent events"). Closes the stream of a client that leaves too much unread: the
 * client is gone or far too slow, and may reconnect.
 */
export class EventStreams {
  constructor(
    readonly keepAlive: KeepAlive,
    private readonly unread: UnreadBytes,
  ) {}

  /** Returns false when the client's buffer is full. */
  event(res: ServerResponse, data: string, id?: string): boolean {
    return this.write(
      res,
      id === undefined ? `event: message\ndata: ${data}\n\n` : `event: message\nid: ${id}\ndata: ${data}\n\n`,
    );
  }

  /** Writes an event without a message, which gives the client a position to resume from. */
  primer(res: ServerResponse, id: string): boolean {
    return this.write(res, `id: ${id}\ndata: \n\n`);
  }

  /**
   * Sends `retry`: how long the client waits before it reconnects when this stream ends. It is not an event. Clients made with
   * the TypeScript SDK keep a single value for all their streams, the last one received.
   */
  retry(res: ServerResponse, retryMs: number): boolean {
    return this.write(res, `retry: ${retryMs}\n\n`);
  }

  comment(res: ServerResponse): boolean {
    return this.write(res, ': keep-alive\n\n');
  }

  private write(res: ServerResponse, chunk: string): boolean {
    if (res.writableEnded || res.destroyed) return false;
    if (!this.unread.takesMore(res, chunk.length)) {
      res.destroy();
      return false;
    }
    res.write(chunk);
    this.unread.wrote(res);
    return true;
  }
}

/** Returns a random time from `leastMs` to half as long again. @param chance from 0 to 1 */
export const spread = (leastMs: number, chance = Math.random()): number => Math.round(leastMs * (1 + chance / 2));

/** Writes to idle streams, so that proxies do not close them. One timer serves all streams. */
export class KeepAlive {
  private readonly beats = new Set<() => void>();
  private readonly timer: NodeJS.Timeout;

  constructor(intervalMs: number) {
    this.timer = setInterval(() => {
      this.beatAll().catch(ignore);
    }, intervalMs).unref();
  }

  /** Runs `beat` at every interval. Returns a function that stops it. */
  add(beat: () => void): () => void {
    this.beats.add(beat);
    return () => void this.beats.delete(beat);
  }

  private async beatAll(): Promise<void> {
    await inTurns(this.beats, (beat) => beat());
  }

  stop(): void {
    clearInterval(this.timer);
    this.beats.clear();
  }
}

/** A failed write is handled where the stream is written to. */
const ignore = (): void => undefined;
