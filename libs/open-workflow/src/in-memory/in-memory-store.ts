import type { CloudEvent, EventWait, RunInfo, StepRef } from '../durable-steps.js';
import { matchesEvent } from '../event-matching.js';
import type { Json } from '../json.js';
import type { SubflowCall } from '../model.js';

export interface InMemoryOptions {
  id?: string;
  /** ISO 8601. */
  startedAt?: string;
  /** Executes other workflows. */
  child?: (call: Required<SubflowCall>, options: { await: boolean }) => Promise<Json>;
  replacedInputs?: Record<string, Json>;
  /** True when time advances automatically once there is nothing to do but wait. */
  isTimePassing?: boolean;
}

/** A moment at which a process may die: before a step acts, before it is recorded, and before anyone learns that it is. */
export interface Moment {
  step: string;
  moment: 'begins' | 'has acted' | 'is recorded';
}

export interface StepRecord {
  step: StepRef;
  kind: 'effect' | 'sleep' | 'event' | 'child' | 'concurrent';
  /** The displayed input of the step. */
  shown: Json;
  starts: number;
  /** Milliseconds since 1970; null = not before an event. */
  wakeAt: number | null;
  wait: EventWait | null;
  /** The recorded result, returned on each replay; null = not done. */
  result: unknown;
}

/** The state that outlives the processes that execute a run: steps, events, and time. */
export class InMemoryStore {
  readonly info: RunInfo;
  readonly records = new Map<string, StepRecord>();
  /** Returns whether the process dies at a moment. */
  dies: (moment: Moment) => boolean = () => false;
  private readonly events: { event: CloudEvent; isConsumed: boolean }[] = [];
  protected now: number;

  constructor(readonly options: InMemoryOptions = {}) {
    const { id = 'run-1', startedAt = '2026-01-02T03:04:05.000Z' } = options;
    this.info = { id, startedAt };
    this.now = Date.parse(startedAt);
  }

  /** Delivers an event; it is kept if nobody waits for it. */
  send(event: CloudEvent): void {
    this.events.push({ event, isConsumed: false });
  }

  advance(ms: number): void {
    this.now += ms;
  }

  /** Returns the time; no two calls return the same. */
  tick(): string {
    this.now += 1;
    return new Date(this.now).toISOString();
  }

  time(): number {
    return this.now;
  }

  record(step: StepRef, kind: StepRecord['kind'], shown: Json = null): StepRecord {
    const known = this.records.get(step.name);
    if (known && known.kind !== kind) throw new Error(`two steps are called ${step.name}: ${known.kind} and ${kind}`);
    const record = known ?? { step, kind, shown, starts: 0, wakeAt: null, wait: null, result: null };
    this.records.set(step.name, record);
    return record;
  }

  /**
   * Consumes the first matching event.
   * @param verdictOf returns whether an event passes the waiting step's test; undefined = not known yet
   */
  consume(wait: EventWait, verdictOf: (event: CloudEvent) => boolean | undefined): CloudEvent | null {
    for (const kept of this.events) {
      if (kept.isConsumed || !matchesEvent(wait.with, kept.event)) continue;
      const verdict = verdictOf(kept.event);
      if (verdict === false) continue;
      kept.isConsumed = verdict === true;
      return verdict === true ? kept.event : null;
    }
    return null;
  }
}

export interface Waiting {
  record: StepRecord;
  isStopped: () => boolean;
  /** Returns whether the wait has ended. */
  check: () => boolean;
}

/** A process that executes the run, until it dies. */
export class Process {
  isDead = false;
  /** Number of pending calls that end without an event or timer. */
  underWay = 0;
  waiting: Waiting[] = [];

  constructor(private readonly run: InMemoryStore) {}

  wakeThoseDue(): boolean {
    const before = this.waiting.length;
    this.waiting = this.waiting.filter((waiting) => !waiting.isStopped() && !waiting.check());
    return this.waiting.length < before;
  }

  diesAt(step: StepRef, moment: Moment['moment']): boolean {
    this.isDead ||= this.run.dies({ step: step.name, moment });
    return this.isDead;
  }
}
