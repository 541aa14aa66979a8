import { setTimeout as sleep } from 'node:timers/promises';

/** Builds an event when it is its turn, and delivers it. Called again after a temporary failure. */
export type QueuedEvent = () => Promise<void>;

export interface QueueLimits {
  /** Maximum number of waiting events; further ones are dropped. */
  maxWaiting: number;
  atOnce: number;
  /** Delay before an event is tried again. */
  retryMs: number;
  /** How long waiting events are still delivered after the queue is closed. */
  closeWithinMs: number;
}

export interface QueueReports {
  /** Returns whether the event should be tried again. */
  isTemporary: (error: unknown) => boolean;
  onFailed: (error: unknown) => void;
  /** Called with the number of dropped events when the queue has room again. */
  onDropped: (count: number) => void;
}

/** Processes a limited number of events at a time, in order of arrival; a limited number may wait. */
export class EventQueue {
  private readonly waiting: QueuedEvent[] = [];
  private readonly working = new Set<Promise<void>>();
  private dropped = 0;
  private readonly closing = new AbortController();

  constructor(
    private readonly limits: QueueLimits,
    private readonly reports: QueueReports,
  ) {}

  add(event: QueuedEvent): void {
    if (this.closing.signal.aborted || this.waiting.length >= this.limits.maxWaiting) {
      this.dropped += 1;
      return;
    }
    this.waiting.push(event);
    this.next();
  }

  /** Resolves when no event is waiting or in progress. */
  async drained(): Promise<void> {
    while (this.working.size > 0) await Promise.race(this.working);
  }

  /** Accepts no more events, delivers waiting ones for a limited time, and resolves when those in progress have ended. */
  async close(): Promise<void> {
    this.closing.abort();
    const deadline = new AbortController();
    const pause = sleep(this.limits.closeWithinMs, undefined, { signal: deadline.signal }).catch(() => undefined);
    await Promise.race([this.drained(), pause]);
    deadline.abort();
    this.dropped += this.waiting.splice(0).length;
    await this.drained();
    this.reportDropped();
  }

  private next(): void {
    if (this.working.size >= this.limits.atOnce) return;
    const event = this.waiting.shift();
    if (!event) return this.reportDropped();
    const work = this.deliver(event).finally(() => {
      this.working.delete(work);
      this.next();
    });
    this.working.add(work);
  }

  private async deliver(event: QueuedEvent): Promise<void> {
    const { signal } = this.closing;
    for (;;) {
      const isLast = signal.aborted;
      try {
        return await event();
      } catch (error) {
        if (isLast || !this.reports.isTemporary(error)) return this.reports.onFailed(error);
      }
      await sleep(this.limits.retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private reportDropped(): void {
    if (this.dropped > 0) this.reports.onDropped(this.dropped);
    this.dropped = 0;
  }
}
