import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Serves the requests of one connection one after the other. A client may send the next before it has the answer to the
 * last (RFC 9112, section 9.3.2); it waits until that answer is written, so only one answer can be unread.
 */
export class Pipelining {
  /** For each connection, the requests that wait: how each of them is given up. */
  private readonly waiting = new WeakMap<Socket, Set<() => void>>();

  /** Returns whether a response has its turn: Node gives the connection to one after the other. */
  isItsTurn(res: ServerResponse): boolean {
    return res.socket !== null;
  }

  /**
   * Resolves to true when the earlier answers are written; to false at once when `most` requests wait already, or when the
   * connection is gone.
   */
  turn({ socket }: IncomingMessage, res: ServerResponse, most: number): Promise<boolean> {
    const waiting = this.waitingOn(socket);
    if (socket.destroyed || waiting.size >= most) return Promise.resolve(false);
    return new Promise((resolve) => {
      const giveUp = () => resolve(false);
      waiting.add(giveUp);
      res.once('socket', () => {
        waiting.delete(giveUp);
        resolve(true);
      });
    });
  }

  private waitingOn(socket: Socket): Set<() => void> {
    const known = this.waiting.get(socket);
    if (known) return known;
    const waiting = new Set<() => void>();
    this.waiting.set(socket, waiting);
    // Node tells nothing to responses that have not had their turn.
    socket.once('close', () => waiting.forEach((giveUp) => giveUp()));
    return waiting;
  }
}
