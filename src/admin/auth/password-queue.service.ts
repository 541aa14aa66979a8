import { Injectable } from '@nestjs/common';
import { LoginsBusy } from './admin-auth.errors.js';

const MOST_WAITING = 20;

/** Who is trying to log in: a browser that logged in before, or a stranger. */
export type LoginLane = 'known' | 'stranger';

/**
 * Checks passwords one after the other in each lane, with a bounded queue. A check takes 32 MB, 0.1 s and a thread, so
 * without this many logins at once would use up the memory and the thread pool. Known browsers have a lane of their own.
 */
@Injectable()
export class PasswordQueue {
  private readonly lanes: Record<LoginLane, { waiting: number; last: Promise<unknown> }> = {
    known: { waiting: 0, last: Promise.resolve() },
    stranger: { waiting: 0, last: Promise.resolve() },
  };

  /** Checks that there is room in the queue. @throws LoginsBusy */
  assertRoom(lane: LoginLane): void {
    if (this.lanes[lane].waiting >= MOST_WAITING) throw new LoginsBusy();
  }

  /** Runs the work when its turn comes. @throws LoginsBusy, and what the work throws */
  async run<Result>(lane: LoginLane, work: () => Promise<Result>): Promise<Result> {
    this.assertRoom(lane);
    const turns = this.lanes[lane];
    turns.waiting += 1;
    const turn = turns.last.then(work).finally(() => (turns.waiting -= 1));
    turns.last = turn.catch(() => undefined);
    return turn;
  }
}
