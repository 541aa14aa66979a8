import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DatabaseUnavailable } from './database.errors.js';

/** How long the database may take in total: Docker kills a service 10 s after it is told to stop. */
const STOP_WITHIN_MS = 8_000;
/** After that, a database that is only slow still gets this long for each statement. */
const LAST_MS = 1_000;

/** The time that the database has when the service stops. Once it is over, every statement fails at once, so that the stop ends. */
@Injectable()
export class StopDeadline implements OnModuleDestroy {
  private dueMs: number | null = null; // null = the service is not stopping
  private isOver = false;

  /** Called before any other part of the application stops. */
  onModuleDestroy(): void {
    this.dueMs = performance.now() + STOP_WITHIN_MS;
  }

  /** Does work on the database. @throws DatabaseUnavailable when it does not end in time */
  readonly within = <Result>(work: () => Promise<Result>): Promise<Result> =>
    this.dueMs === null ? work() : this.limited(work, this.dueMs);

  private async limited<Result>(work: () => Promise<Result>, dueMs: number): Promise<Result> {
    if (this.isOver) throw notInTime();
    const limit = Promise.withResolvers<never>();
    const giveUp = () => {
      this.isOver = true;
      limit.reject(notInTime());
    };
    const timer = setTimeout(giveUp, Math.max(dueMs - performance.now(), LAST_MS));
    try {
      return await Promise.race([work(), limit.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const notInTime = () =>
  new DatabaseUnavailable('the service stops, and the database does not answer in time', {
    cause: null,
    isLasting: false,
  });
