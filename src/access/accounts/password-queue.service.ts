import { Injectable } from '@nestjs/common';
import { LoginsBusy } from './accounts.errors.js';
import { SerialQueue } from '../../platform/periodic/serial-queue.js';

const MOST_WAITING = 20;

/** The kind of sender that tries to log in: a browser that logged in before, or an unknown one. */
export type LoginLane = 'known' | 'unknown';

/** Runs a task when all earlier tasks of the lane are done. */
type InTurn = <Result>(task: () => Promise<Result>) => Promise<Result>;

/**
 * Checks passwords one after the other in each lane, with a bounded queue. A check takes 32 MB, 0.1 s and a thread: unbounded,
 * concurrent logins would exhaust the memory and the thread pool. Known browsers have a separate lane.
 */
@Injectable()
export class PasswordQueue {
  private readonly lanes: Record<LoginLane, { places: number; queue: SerialQueue }> = {
    known: { places: 0, queue: new SerialQueue() },
    unknown: { places: 0, queue: new SerialQueue() },
  };

  /**
   * Holds a place in the lane until the work is done. The work waits for its turn with `inTurn`. @throws LoginsBusy, and the
   * errors of the work
   */
  async withPlace<Result>(kind: LoginLane, work: (inTurn: InTurn) => Promise<Result>): Promise<Result> {
    const lane = this.lanes[kind];
    if (lane.places >= MOST_WAITING) throw new LoginsBusy();
    lane.places += 1;
    try {
      return await work((task) => lane.queue.run(task));
    } finally {
      lane.places -= 1;
    }
  }
}
