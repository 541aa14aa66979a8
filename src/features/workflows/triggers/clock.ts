import { Injectable } from '@nestjs/common';

/** Interval for checking the clock again: it may have been set, and timers are limited to 24.8 days. */
const LONGEST_SLEEP_MS = 60_000;

/** Provides the time and timers; tests replace it. */
@Injectable()
export class TriggerClock {
  now(): Date {
    return new Date();
  }

  /**
   * Calls `work` at `time`, even in the far future; earlier only when the clock is set back, because `time` may be due to the
   * wrong clock. Returns a function that cancels the call.
   */
  at(time: Date, work: () => void): () => void {
    const leftMs = () => time.getTime() - this.now().getTime();
    const atStartMs = leftMs();
    const sleep = () => setTimeout(wake, Math.min(Math.max(leftMs(), 0), LONGEST_SLEEP_MS)).unref();
    const wake = () => {
      if (leftMs() <= 0 || leftMs() > atStartMs) return work();
      timer = sleep();
    };
    let timer = sleep();
    return () => clearTimeout(timer);
  }
}
