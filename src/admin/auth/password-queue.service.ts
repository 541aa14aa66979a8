import { Injectable } from '@nestjs/common';
import { LoginsBusy } from './admin-auth.errors.js';

const MOST_WAITING = 20;

/** Who is trying to log in: a browser that was in before, or anybody. */
export type LoginLane = 'known' | 'stranger';

/**
 * A password hash takes 32 MB, 0.1 s and a thread. So one is worked on at a time for each lane, and not many wait: however
 * many strangers try at once, neither memory nor the thread pool runs out, and known browsers have their own turn.
 */
@Injectable()
export class PasswordQueue {
  private readonly lanes: Record<LoginLane, { waiting: number; last: Promise<unknown> }> = {
    known: { waiting: 0, last: Promise.resolve() },
    stranger: { waiting: 0, last: Promise.resolve() },
  };

  /** @throws LoginsBusy */
  assertRoom(lane: LoginLane): void {
    if (this.lanes[lane].waiting >= MOST_WAITING) throw new LoginsBusy();
  }

  /** @throws LoginsBusy, and what the work throws */
  async run<Result>(lane: LoginLane, work: () => Promise<Result>): Promise<Result> {
    this.assertRoom(lane);
    const turns = this.lanes[lane];
    turns.waiting += 1;
    const turn = turns.last.then(work).finally(() => (turns.waiting -= 1));
    turns.last = turn.catch(() => undefined);
    return turn;
  }
}
