import { Injectable } from '@nestjs/common';

/** After so long the clock is looked at again: it may have been set, and no timer lasts longer than 24.8 days. */
const LONGEST_SLEEP_MS = 60_000;

/** Tells the time, and calls when a time has come; tests replace it. */
@Injectable()
export class TriggerClock {
  now(): Date {
    return new Date();
  }

  /** Calls `work` when the clock shows `time`, never before, however far away that is. Returns what cancels the call. */
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
