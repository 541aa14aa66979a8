import { setTimeout as sleep } from 'node:timers/promises';

/** Makes an event when its turn comes, and delivers it. */
export type QueuedEvent = () => Promise<void>;

export interface QueueLimits {
  /** How many may wait; further ones are dropped. */
  maxWaiting: number;
  atOnce: number;
  /** How long those that wait are still delivered when it is closed. */
  closeWithinMs: number;
}

export interface QueueReports {
  onFailed: (error: unknown) => void;
  /** Is told how many were dropped when the queue has room again. */
  onDropped: (count: number) => void;
}

/** Works on a limited number of events at a time, in the order in which they came, and lets a limited number wait. */
export class EventQueue {
  private readonly waiting: QueuedEvent[] = [];
  private readonly working = new Set<Promise<void>>();
  private dropped = 0;
  private isClosed = false;

  constructor(
    private readonly limits: QueueLimits,
    private readonly reports: QueueReports,
  ) {}

  add(event: QueuedEvent): void {
    if (this.isClosed || this.waiting.length >= this.limits.maxWaiting) {
      this.dropped += 1;
      return;
    }
    this.waiting.push(event);
    this.next();
  }

  /** Resolves when nothing waits and nothing is under way. */
  async drained(): Promise<void> {
    while (this.working.size > 0) await Promise.race(this.working);
  }

  /** Takes no more events, delivers those that wait for a while, and resolves when what is under way has ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    const giveUp = new AbortController();
    const pause = sleep(this.limits.closeWithinMs, undefined, { signal: giveUp.signal }).catch(() => undefined);
    await Promise.race([this.drained(), pause]);
    giveUp.abort();
    this.dropped += this.waiting.splice(0).length;
    await this.drained();
    this.tellDropped();
  }

  private next(): void {
    if (this.working.size >= this.limits.atOnce) return;
    const event = this.waiting.shift();
    if (!event) return this.tellDropped();
    const work = event()
      .catch((error: unknown) => this.reports.onFailed(error))
      .finally(() => {
        this.working.delete(work);
        this.next();
      });
    this.working.add(work);
  }

  private tellDropped(): void {
    if (this.dropped > 0) this.reports.onDropped(this.dropped);
    this.dropped = 0;
  }
}
