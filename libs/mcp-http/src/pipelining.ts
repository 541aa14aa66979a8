import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Requests that a client sends before it has the answer to the last one on the same connection (RFC 9112, section 9.3.2)
 * wait until that is written: what waits unread on a connection is never more than one answer.
 */
export class Pipelining {
  private readonly waiting = new WeakMap<Socket, number>();

  /** Whether it is this response's turn: Node gives the connection to one after the other. */
  isItsTurn(res: ServerResponse): boolean {
    return res.socket !== null;
  }

  /** Resolves when the answers before are written; false, at once, when `most` requests wait already. */
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
