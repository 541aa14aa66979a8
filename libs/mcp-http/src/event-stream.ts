import type { ServerResponse } from 'node:http';

/** A peer that leaves more than this unread is gone or far too slow: its stream is cut, and it may come back. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

/** Writes one Server-Sent Event (WHATWG HTML, "Server-sent events"). False: the peer can't take more. */
export function writeEvent(res: ServerResponse, data: string, id?: string): boolean {
  return write(
    res,
    id === undefined ? `event: message\ndata: ${data}\n\n` : `event: message\nid: ${id}\ndata: ${data}\n\n`,
  );
}

/** An event without a message: it gives the client a place to resume from, and how long to wait before it does. */
export function writePrimer(res: ServerResponse, id: string, retryMs: number): boolean {
  return write(res, `id: ${id}\nretry: ${retryMs}\ndata: \n\n`);
}

export function writeComment(res: ServerResponse): boolean {
  return write(res, ': keep-alive\n\n');
}

function write(res: ServerResponse, chunk: string): boolean {
  if (res.writableEnded || res.destroyed) return false;
  res.write(chunk);
  if (res.writableLength <= MAX_UNREAD_BYTES) return true;
  res.destroy();
  return false;
}

/** Keeps proxies from cutting quiet streams: one timer for all of them. */
export class KeepAlive {
  private readonly beats = new Set<() => void>();
  private readonly timer: NodeJS.Timeout;

  constructor(intervalMs: number) {
    this.timer = setInterval(() => this.beats.forEach((beat) => beat()), intervalMs).unref();
  }

  /** Returns the function that ends it. */
  add(beat: () => void): () => void {
    this.beats.add(beat);
    return () => void this.beats.delete(beat);
  }

  stop(): void {
    clearInterval(this.timer);
    this.beats.clear();
  }
}
