import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { answerProbe, refuse } from './early-answers.js';

export interface WaitingLimits {
  maxWaiting: number;
  waitMs: number;
}

const DEFAULT_LIMITS: WaitingLimits = { maxWaiting: 1_000, waitMs: 30_000 };

/**
 * Takes the requests that come while the application starts, so that no client is refused meanwhile. Probes are answered at
 * once; all others wait, within limits, and are served in the order in which they came.
 */
export class WaitingRoom {
  private readonly waiting = new Map<ServerResponse, { req: IncomingMessage; timer: NodeJS.Timeout }>();
  private isClosed = false;

  constructor(
    private readonly server: Server,
    private readonly limits: WaitingLimits = DEFAULT_LIMITS,
  ) {
    server.on('request', this.take);
  }

  /** Has the application serve those who wait, and everybody after them. */
  open(application: RequestListener): void {
    this.server.off('request', this.take);
    this.server.on('request', application);
    for (const [res, req] of this.leave()) application(req, res);
  }

  /** Refuses those who wait, and everybody after them. */
  close(): void {
    this.isClosed = true;
    for (const [res, req] of this.leave()) refuse(req, res, 'it cannot start');
  }

  private readonly take = (req: IncomingMessage, res: ServerResponse): void => {
    if (answerProbe(req, res)) return;
    if (this.isClosed) return refuse(req, res, 'it cannot start');
    if (this.waiting.size >= this.limits.maxWaiting) return refuse(req, res, 'too many requests wait for it already');
    const timer = setTimeout(() => {
      this.waiting.delete(res);
      refuse(req, res, 'it takes long');
    }, this.limits.waitMs);
    this.waiting.set(res, { req, timer });
    res.once('close', () => {
      clearTimeout(timer);
      this.waiting.delete(res);
    });
  };

  /** Ends the wait of all. Returns them in the order in which they came. */
  private leave(): [ServerResponse, IncomingMessage][] {
    const all = [...this.waiting];
    this.waiting.clear();
    return all.map(([res, { req, timer }]) => {
      clearTimeout(timer);
      return [res, req];
    });
  }
}
