import type { ServerResponse } from 'node:http';
import type { EndpointLimits } from './endpoint-options.js';
import { whenClosed } from './responses.js';

const LOOK_EVERY_MS = 1_000;
/** This little always has room, so that refusals can be sent. */
const SMALL = 4_096;

interface Backlog {
  bytes: number;
  /** When the client must have read all of it (`performance.now`). */
  deadline: number;
}

/** Limits the bytes that were written and not yet read by clients, for each connection and for all together. */
export class UnreadBytes {
  private readonly backlogs = new Map<ServerResponse, Backlog>();
  private readonly watched = new WeakSet<ServerResponse>();
  private total = 0;
  private lookedAt = 0;
  private readonly timer: NodeJS.Timeout;

  /** @param slowestBytesPerMs a client that reads more slowly than this is cut */
  constructor(
    private readonly limits: () => EndpointLimits,
    private readonly slowestBytesPerMs: number,
  ) {
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Returns whether so many more bytes may wait, over all connections. */
  hasRoomFor(bytes: number): boolean {
    if (bytes <= SMALL || this.total + bytes <= this.limits().maxUnreadBytes) return true;
    if (performance.now() - this.lookedAt > LOOK_EVERY_MS / 10) this.look();
    return this.total + bytes <= this.limits().maxUnreadBytes;
  }

  /** Returns whether a stream may be written to: its client has read most of what came before. */
  takesMore(res: ServerResponse, bytes: number): boolean {
    const { writableLength } = res;
    if (writableLength === 0 && bytes <= SMALL) return true;
    return writableLength <= this.limits().maxUnreadBytesPerConnection && this.hasRoomFor(bytes);
  }

  /** Counts what waits on a connection. It must be called after each write. */
  wrote(res: ServerResponse): void {
    const { writableLength } = res;
    const known = this.backlogs.get(res);
    if (known) return this.update(res, known, writableLength);
    if (writableLength === 0) return;
    const backlog = { bytes: 0, deadline: performance.now() + this.limits().unreadTimeoutMs };
    this.backlogs.set(res, backlog);
    this.update(res, backlog, writableLength);
    if (this.watched.has(res)) return;
    this.watched.add(res);
    whenClosed(res, () => this.forget(res));
  }

  private update(res: ServerResponse, backlog: Backlog, bytes: number): void {
    const more = bytes - backlog.bytes;
    this.total += more;
    backlog.bytes = bytes;
    if (more > 0) backlog.deadline += more / this.slowestBytesPerMs;
    if (bytes === 0) this.backlogs.delete(res);
  }

  private forget(res: ServerResponse): void {
    this.total -= this.backlogs.get(res)?.bytes ?? 0;
    this.backlogs.delete(res);
  }

  private look(): void {
    this.lookedAt = performance.now();
    for (const [res, backlog] of this.backlogs) {
      this.update(res, backlog, res.writableLength);
      if (backlog.bytes > 0 && backlog.deadline < this.lookedAt) res.destroy();
    }
  }
}
