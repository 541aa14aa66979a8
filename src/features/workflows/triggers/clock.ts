import { Injectable } from '@nestjs/common';

/** Interval for checking the clock again: it may have been set, and timers are limited to 24.8 days. */
const LONGEST_SLEEP_MS = 60_000;

/** Provides the time and timers; tests replace it. */
@Injectable()
export class TriggerClock {
  now(): Date {
    return new Date();
  }

  /** Calls `work` at `time`, never earlier, even in the far future. Returns a function that cancels the call. */
  at(time: Date, work: () => void): () => void {
    const leftMs = () => time.getTime() - this.now().getTime();
    const sleep = () => setTimeout(wake, Math.min(Math.max(leftMs(), 0), LONGEST_SLEEP_MS)).unref();
    const wake = () => {
      if (leftMs() <= 0) return work();
      timer = sleep();
    };
    let timer = sleep();
    return () => clearTimeout(timer);
  }
}
