import { Injectable } from '@nestjs/common';
import type { StepProgress } from '#open-workflow';
import type { AppEvents } from '../../../platform/events/app-events.js';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import type { Run } from './run.js';

/** Polling interval, because there are no notifications for runs on other replicas. */
const POLL_EVERY_MS = 500;

export type FollowedStep = AppEvents['run.step']['step'];

/** Called with news of the run, or of one of its steps. */
type Callback = (step?: FollowedStep, progress?: StepProgress) => void;

export interface Followed {
  timeoutMs: number;
  /** Stops waiting; the run continues. */
  signal: AbortSignal;
  /** Called when a step has ended, or reports `progress`, as far as this replica is notified. */
  onStep?: (step: FollowedStep, progress?: StepProgress) => void;
}

/** Waits for runs on behalf of callers. */
@Injectable()
export class RunFollowers {
  private readonly callbacks = new Map<string, Set<Callback>>();

  constructor(events: EventBus) {
    events.on('run.changed', ({ id }) => this.notify(id));
    events.on('run.step', ({ id, step, progress }) => this.notify(id, step, progress));
  }

  /** Polls a run with `poll` until it is ready or the timeout has passed, and returns it. @throws the reason of the signal */
  async follow(
    id: string,
    poll: () => Promise<Run>,
    isWanted: (run: Run) => boolean,
    { timeoutMs, signal, onStep }: Followed,
  ): Promise<Run> {
    let changed = Promise.withResolvers<void>();
    const stop = this.listen(id, (step, progress) => {
      if (step) onStep?.(step, progress);
      else changed.resolve();
    });
    const deadline = performance.now() + timeoutMs;
    const onAbort = () => changed.resolve();
    signal.addEventListener('abort', onAbort);
    try {
      for (;;) {
        const run = await poll();
        signal.throwIfAborted();
        const leftMs = deadline - performance.now();
        if (isWanted(run) || leftMs <= 0) return run;
        const timer = setTimeout(() => changed.resolve(), Math.min(leftMs, POLL_EVERY_MS));
        await changed.promise;
        clearTimeout(timer);
        changed = Promise.withResolvers<void>();
      }
    } finally {
      stop();
      signal.removeEventListener('abort', onAbort);
    }
  }

  private notify(id: string, ...news: Parameters<Callback>): void {
    for (const callback of this.callbacks.get(id) ?? []) callback(...news);
  }

  private listen(id: string, callback: Callback): () => void {
    const callbacks = this.callbacks.get(id) ?? new Set();
    this.callbacks.set(id, callbacks.add(callback));
    return () => {
      callbacks.delete(callback);
      if (callbacks.size === 0) this.callbacks.delete(id);
    };
  }
}
