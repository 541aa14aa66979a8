import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** How long the first request may be on its way over a connection that this process has accepted. */
const ARRIVAL_MS = 2_000;
const LOOK_EVERY_MS = 50;
/** For how many looks nothing may have come or gone. A proxy soon sends the next request over a connection that it just used. */
const QUIET_LOOKS = 4;
/** How often such a moment is looked for before idle connections are ended all the same. */
const MOST_LOOKS = 20;
/** A turn of the event loop in which nothing happened that takes time, and the shortest that there are. */
const SHORT_TURN_MS = 0.3;
const SHORTEST_TURN_MS = 0.03;
/** How long such a turn is waited for. */
const QUIET_TURN_WITHIN_MS = 1_000;

/** The connections that a server has accepted. When it closes, it ends those over which no request is on its way. */
export class OpenConnections {
  private accepted = 0; // ever
  /** Those that are open, with the bytes that had come and gone over each at the last look. */
  private readonly open = new Map<Socket, number>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.accepted += 1;
      this.open.set(socket, 0);
      socket.once('close', () => this.open.delete(socket));
    });
  }

  /**
   * Calls `close` right after a look for new connections that found none, as far as there is a turn with nothing else in it:
   * the kernel resets those that nobody has accepted when the port is closed, and a proxy cannot know whether their requests
   * were served. Each turn of the event loop accepts one. Nothing may come between the look and `close`, no promise either.
   */
  async whenAllAccepted(close: () => void): Promise<void> {
    await nextTurn(); // what is left of this turn may have no look in it
    const first = performance.now();
    await new Promise<void>((resolve) => {
      let [begun, accepted] = [first, this.accepted];
      const look = () => {
        const ended = performance.now();
        const isQuiet = this.accepted === accepted && ended - begun < shortTurnMs(ended - first);
        if (isQuiet || ended - first >= QUIET_TURN_WITHIN_MS) {
          close();
          return resolve();
        }
        [begun, accepted] = [ended, this.accepted];
        setImmediate(look);
      };
      setImmediate(look);
    });
  }

  /** Resolves when each has brought something, or after a while. */
  async arrivals(): Promise<void> {
    const deadline = performance.now() + ARRIVAL_MS;
    const isWaiting = () => [...this.open.keys()].some((socket) => socket.bytesRead === 0);
    while (isWaiting() && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
  }

  /** Ends those that are idle, and those that become so, until `ended` resolves. */
  async endIdle(ended: Promise<void>): Promise<void> {
    let [looks, quiet] = [0, 0];
    const timer = setInterval(() => {
      looks += 1;
      quiet = this.hasTraffic() ? 0 : quiet + 1;
      if (quiet >= QUIET_LOOKS || looks >= MOST_LOOKS) this.endAfterShortTurn(looks >= MOST_LOOKS);
    }, LOOK_EVERY_MS);
    await ended;
    clearInterval(timer);
  }

  /** Returns whether anything has come or gone since it was last asked. */
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
   * Ends idle ones right after a short turn of the event loop, which has read what had come over them: one over which a
   * request comes while this process does something else is not idle.
   * @param atOnce whatever the turn took
   */
  private endAfterShortTurn(atOnce: boolean): void {
    setImmediate(() => {
      const begun = performance.now();
      setImmediate(() => {
        if (atOnce || performance.now() - begun < SHORT_TURN_MS) this.server.closeIdleConnections();
      });
    });
  }
}

/** Returns how long a turn may be after so long a wait for a short one: what comes within it is lost, so the first must be short. */
const shortTurnMs = (waitedMs: number): number =>
  Math.max(SHORTEST_TURN_MS, (SHORT_TURN_MS * waitedMs) / QUIET_TURN_WITHIN_MS);
