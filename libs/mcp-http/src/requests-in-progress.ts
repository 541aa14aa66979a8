import type { ServerResponse } from 'node:http';
import { type Caller, type CutOff, isCutOff } from './caller.js';

/**
 * The requests that were authenticated and have not yet become a call or a stream: their body arrives, or their session is
 * read. What they would begin must not begin once their key has ended.
 */
export class RequestsInProgress {
  private readonly callers = new Map<ServerResponse, Caller>();
  private readonly ended = new WeakSet<ServerResponse>();

  begin(res: ServerResponse, caller: Caller): void {
    this.callers.set(res, caller);
  }

  end(res: ServerResponse): void {
    this.callers.delete(res);
  }

  cutOff(whose: CutOff): void {
    for (const [res, caller] of this.callers) if (isCutOff(caller, whose)) this.ended.add(res);
  }

  /** Returns whether the key of a request has ended since it came in. */
  isCutOff(res: ServerResponse): boolean {
    return this.ended.has(res);
  }
}
