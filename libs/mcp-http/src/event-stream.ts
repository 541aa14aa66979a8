import type { ServerResponse } from 'node:http';
import { inTurns } from './turns.js';
import type { UnreadBytes } from './responses.js';

export const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  // Tells nginx to pass events on at once.
  'X-Accel-Buffering': 'no',
} as const;

/**
 * Writes Server-Sent Events (WHATWG HTML, "Server-sent events"). The stream of a client that leaves too much unread is cut:
 * the client is gone or far too slow, and it may come back.
 */
export class EventStreams {
  constructor(
    readonly keepAlive: KeepAlive,
    private readonly unread: UnreadBytes,
  ) {}

  /** Returns false when the client cannot take more. */
  event(res: ServerResponse, data: string, id?: string): boolean {
    return this.write(
      res,
      id === undefined ? `event: message\ndata: ${data}\n\n` : `event: message\nid: ${id}\ndata: ${data}\n\n`,
    );
  }

  /** Writes an event without a message, which tells the client where to resume from. */
  primer(res: ServerResponse, id: string): boolean {
    return this.write(res, `id: ${id}\ndata: \n\n`);
  }

  /**
   * Tells the client how long to wait before it comes back when this stream ends. It is no event. Clients made with the
   * TypeScript SDK keep one such time for all their streams, the one that they were told last.
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

/** Returns a time from `leastMs` to half as long again. @param chance from 0 to 1 */
export const spread = (leastMs: number, chance = Math.random()): number => Math.round(leastMs * (1 + chance / 2));

/** Has something written to quiet streams, so that proxies do not cut them. One timer serves all streams. */
export class KeepAlive {
  private readonly beats = new Set<() => void>();
  private readonly timer: NodeJS.Timeout;

  constructor(intervalMs: number) {
    this.timer = setInterval(() => {
      this.beatAll().catch(ignore);
    }, intervalMs).unref();
  }

  /** Runs `beat` at every interval. Returns the function that ends this. */
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

/** A stream that cannot be written to is cut where that is noticed. */
const ignore = (): void => undefined;
