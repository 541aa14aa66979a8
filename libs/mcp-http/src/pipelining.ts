import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Serves the requests of one connection one after the other. A client may send the next before it has the answer to the
 * last (RFC 9112, section 9.3.2); it waits until that answer is written, so only one answer can be unread.
 */
export class Pipelining {
  private readonly waiting = new WeakMap<Socket, number>();

  /** Returns whether a response has its turn: Node gives the connection to one after the other. */
  isItsTurn(res: ServerResponse): boolean {
    return res.socket !== null;
  }

  /** Resolves to true when the earlier answers are written, or to false at once when `most` requests wait already. */
  turn({ socket }: IncomingMessage, res: ServerResponse, most: number): Promise<boolean> {
    const before = this.waiting.get(socket) ?? 0;
    if (before >= most) return Promise.resolve(false);
    this.waiting.set(socket, before + 1);
    return new Promise((resolve) => {
      res.once('socket', () => {
        this.waiting.set(socket, (this.waiting.get(socket) ?? 1) - 1);
        resolve(true);
      });
    });
  }
}
