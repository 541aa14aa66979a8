import { Injectable } from '@nestjs/common';
import type { Told } from '#open-workflow';
import type { AppEvents } from '../../../platform/events/app-events.js';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import type { Run } from './run.js';

/** Another replica may execute the run: then nothing tells us here, and we look. */
const LOOK_EVERY_MS = 500;

export type FollowedStep = AppEvents['run.step']['step'];

/** What a follower hears: news of the run, or of a step of it. */
type Callback = (step?: FollowedStep, told?: Told) => void;

export interface Followed {
  timeoutMs: number;
  /** Ends the waiting; the run continues. */
  signal: AbortSignal;
  /** Called when a step has ended, or says how far it is (`told`), as far as this replica hears of it. */
  onStep?: (step: FollowedStep, told?: Told) => void;
}

/** Waits for runs on behalf of callers. */
@Injectable()
export class RunFollowers {
  private readonly callbacks = new Map<string, Set<Callback>>();

  constructor(events: EventBus) {
    events.on('run.changed', ({ id }) => this.tell(id));
    events.on('run.step', ({ id, step, told }) => this.tell(id, step, told));
  }

  /** Looks at a run until it is as wanted or the time is over, and returns it. @throws the reason of the signal */
  async follow(
    id: string,
    look: () => Promise<Run>,
    isWanted: (run: Run) => boolean,
    { timeoutMs, signal, onStep }: Followed,
  ): Promise<Run> {
    let changed = Promise.withResolvers<void>();
    const stop = this.listen(id, (step, told) => {
      if (step) onStep?.(step, told);
      else changed.resolve();
    });
    const deadline = performance.now() + timeoutMs;
    const onAbort = () => changed.resolve();
    signal.addEventListener('abort', onAbort);
    try {
      for (;;) {
        const run = await look();
        signal.throwIfAborted();
        const leftMs = deadline - performance.now();
        if (isWanted(run) || leftMs <= 0) return run;
        const timer = setTimeout(() => changed.resolve(), Math.min(leftMs, LOOK_EVERY_MS));
        await changed.promise;
        clearTimeout(timer);
        changed = Promise.withResolvers<void>();
      }
    } finally {
      stop();
      signal.removeEventListener('abort', onAbort);
    }
  }

  private tell(id: string, ...news: Parameters<Callback>): void {
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
