import { Injectable } from '@nestjs/common';
import { LoginsBusy } from './admin-auth.errors.js';

const MOST_WAITING = 20;

/** Who is trying to log in: a browser that was in before, or anybody. */
export type LoginLane = 'known' | 'stranger';

/** Does something when all who came before are done. */
type InTurn = <Result>(task: () => Promise<Result>) => Promise<Result>;

/**
 * A password hash takes 32 MB, 0.1 s and a thread. So one is worked on at a time for each lane, and not many wait: however
 * many strangers try at once, neither memory nor the thread pool runs out, and known browsers have their own turn.
 */
@Injectable()
export class PasswordQueue {
  private readonly lanes: Record<LoginLane, { places: number; last: Promise<unknown> }> = {
    known: { places: 0, last: Promise.resolve() },
    stranger: { places: 0, last: Promise.resolve() },
  };

  /** Keeps a place in the lane until the work is done; one after the other has a turn. @throws LoginsBusy */
  async withPlace<Result>(lane: LoginLane, work: (inTurn: InTurn) => Promise<Result>): Promise<Result> {
    const queue = this.lanes[lane];
    if (queue.places >= MOST_WAITING) throw new LoginsBusy();
    queue.places += 1;
    try {
      return await work((task) => {
        const turn = queue.last.then(task);
        queue.last = turn.catch(() => undefined);
        return turn;
      });
    } finally {
      queue.places -= 1;
    }
  }
}
