import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { StepProgress } from '#open-workflow';
import type { AppEvents } from '../../../platform/events/app-events.js';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import type { Run } from './run.js';

/** Polling interval, because there are no notifications for runs on other replicas. */
const POLL_EVERY_MS = 500;
/** How long callers may wait once the service stops: less than calls may take then, so that each is told how to follow its run. */
const LAST_MS = 5_000;

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
export class RunFollowers implements OnModuleDestroy {
  private readonly callbacks = new Map<string, Set<Callback>>();
  private stopAtMs = Infinity; // of `performance.now`

  constructor(events: EventBus) {
    events.on('run.changed', ({ id }) => this.notify(id));
    events.on('run.step', ({ id, step, progress }) => this.notify(id, step, progress));
  }

  /** Called before any other part of the application stops. */
  onModuleDestroy(): void {
    this.stopAtMs = performance.now() + LAST_MS;
  }

  /**
   * Polls a run with `poll` until it is ready, the timeout has passed, or the service stops, and returns it.
   * @throws the reason of the signal
   */
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
        const leftMs = Math.min(deadline, this.stopAtMs) - performance.now();
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
