import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** How long to wait for the first request over an accepted connection. */
const ARRIVAL_MS = 2_000;
const CHECK_EVERY_MS = 50;
/** Number of checks without traffic. A proxy soon sends the next request over a connection that it has just used. */
const QUIET_CHECKS = 4;
/** Number of checks after which idle connections are closed even with traffic. */
const MOST_CHECKS = 20;
/** Duration of an event loop turn in which nothing slow happened, and of the shortest turns possible. */
const SHORT_TURN_MS = 0.3;
const SHORTEST_TURN_MS = 0.03;
/** How long to wait for such a turn. */
const QUIET_TURN_WITHIN_MS = 1_000;

/** The connections that a server has accepted. When it closes, it ends those without a request in transit. */
export class OpenConnections {
  private accepted = 0; // in total
  /** The open connections, with the bytes transferred over each at the last check. */
  private readonly open = new Map<Socket, number>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.accepted += 1;
      this.open.set(socket, 0);
      socket.once('close', () => this.open.delete(socket));
    });
  }

  /**
   * Calls `close` immediately after an event loop turn that accepted no new connection, if possible a turn without other work.
   * When the port is closed, the kernel resets connections that were not accepted, and a proxy cannot know whether their requests
   * were served. Each turn accepts one connection. Nothing may run between the turn and `close`, not even a promise.
   */
  async whenAllAccepted(close: () => void): Promise<void> {
    await nextTurn(); // the rest of this turn may not accept connections
    const first = performance.now();
    await new Promise<void>((resolve) => {
      let [startedMs, accepted] = [first, this.accepted];
      const check = () => {
        const ended = performance.now();
        const isQuiet = this.accepted === accepted && ended - startedMs < shortTurnMs(ended - first);
        if (isQuiet || ended - first >= QUIET_TURN_WITHIN_MS) {
          close();
          return resolve();
        }
        [startedMs, accepted] = [ended, this.accepted];
        setImmediate(check);
      };
      setImmediate(check);
    });
  }

  /** Resolves when each connection has received data, or after a timeout. */
  async arrivals(): Promise<void> {
    const deadline = performance.now() + ARRIVAL_MS;
    const isWaiting = () => [...this.open.keys()].some((socket) => socket.bytesRead === 0);
    while (isWaiting() && performance.now() < deadline) await sleep(CHECK_EVERY_MS);
  }

  /** Closes connections that are or become idle, until `ended` resolves. */
  async endIdle(ended: Promise<void>): Promise<void> {
    let [checks, quiet] = [0, 0];
    const timer = setInterval(() => {
      checks += 1;
      quiet = this.hasTraffic() ? 0 : quiet + 1;
      if (quiet >= QUIET_CHECKS || checks >= MOST_CHECKS) this.endAfterShortTurn(checks >= MOST_CHECKS);
    }, CHECK_EVERY_MS);
    await ended;
    clearInterval(timer);
  }

  /** Returns whether there was any traffic since the last check. */
  private hasTraffic(): boolean {
    let hasTraffic = false;
    for (const [socket, before] of this.open) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      if (bytes !== before) hasTraffic = true;
      this.open.set(socket, bytes);
    }
    return hasTraffic;
  }

  /**
   * Closes idle connections immediately after a short turn of the event loop, which has read all incoming data: a connection
   * whose request arrives while this process is busy is not idle.
   * @param atOnce true to ignore the duration of the turn
   */
  private endAfterShortTurn(atOnce: boolean): void {
    setImmediate(() => {
      const startedMs = performance.now();
      setImmediate(() => {
        if (atOnce || performance.now() - startedMs < SHORT_TURN_MS) this.server.closeIdleConnections();
      });
    });
  }
}

/**
 * Returns the allowed duration of a turn after a wait for a short one. Connections that arrive during the turn are lost, so it
 * starts strict.
 */
const shortTurnMs = (waitedMs: number): number =>
  Math.max(SHORTEST_TURN_MS, (SHORT_TURN_MS * waitedMs) / QUIET_TURN_WITHIN_MS);
