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
  /** Whether time passes by itself when there is nothing to do but to wait for it. */
  isTimePassing?: boolean;
}

/** A moment at which a process may die: before a step acts, before it is recorded, and before anybody knows that it is. */
export interface Moment {
  step: string;
  moment: 'begins' | 'has acted' | 'is recorded';
}

/** What is known about a step. */
export interface StepRecord {
  step: StepRef;
  kind: 'effect' | 'sleep' | 'event' | 'child' | 'concurrent';
  /** What the step shows as its input. */
  shown: Json;
  starts: number;
  /** Milliseconds since 1970; null = not before an event. */
  wakeAt: number | null;
  wait: EventWait | null;
  /** What is returned again and again from now on; null = not done. */
  result: unknown;
}

/** What outlives the processes that execute a run: its steps, its events, and the time. */
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

  /** Delivers an event, which waits if nobody waits for it. */
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
   * Takes the first event that is waited for.
   * @param verdictOf says whether an event passes the test of whoever waits; undefined = that is not known yet
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
  /** Returns whether the wait is over. */
  look: () => boolean;
}

/** A process that executes the run, until it dies. */
export class Process {
  isDead = false;
  /** How many calls are under way that end by themselves. */
  underWay = 0;
  waiting: Waiting[] = [];

  constructor(private readonly run: InMemoryStore) {}

  wakeThoseDue(): boolean {
    const before = this.waiting.length;
    this.waiting = this.waiting.filter((waiting) => !waiting.isStopped() && !waiting.look());
    return this.waiting.length < before;
  }

  diesAt(step: StepRef, moment: Moment['moment']): boolean {
    this.isDead ||= this.run.dies({ step: step.name, moment });
    return this.isDead;
  }
}
