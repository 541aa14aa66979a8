import { setImmediate } from 'node:timers/promises';
import type {
  BlockRef,
  BlockResult,
  CloudEvent,
  Concurrency,
  ConcurrentOutcome,
  DurableSteps,
  EffectCall,
  EventWait,
  Outcome,
  RunInfo,
  StepRef,
} from './durable-steps.js';
import { matchesEvent } from './event-matching.js';
import type { Json } from './json.js';
import type { SubflowCall } from './model.js';
import { problemOf, type Problem } from './workflow-error.js';

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

export type Execution<T> =
  | { status: 'completed'; value: T }
  | { status: 'failed'; error: unknown }
  /** There is nothing to do before an event comes, or time passes. */
  | { status: 'waiting' }
  | { status: 'crashed' };

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

/**
 * A run whose steps are kept in memory, with a clock of its own, for tests: it can die at any step, and be executed
 * again as if by another process.
 */
export class InMemoryRun {
  readonly info: RunInfo;
  readonly records = new Map<string, StepRecord>();
  /** Returns whether the process dies at a moment. */
  dies: (moment: Moment) => boolean = () => false;
  private readonly events: { event: CloudEvent; isConsumed: boolean }[] = [];
  private now: number;

  constructor(readonly options: InMemoryOptions = {}) {
    const { id = 'run-1', startedAt = '2026-01-02T03:04:05.000Z' } = options;
    this.info = { id, startedAt };
    this.now = Date.parse(startedAt);
  }

  /** Executes the run until it has ended, waits, or the process dies. */
  async execute<T>(work: (steps: DurableSteps) => Promise<T>): Promise<Execution<T>> {
    const process = new Process(this);
    let ended: Execution<T> | null = null;
    work(new InMemorySteps(this, process, null)).then(
      (value) => (ended = { status: 'completed', value }),
      (error: unknown) => (ended = { status: 'failed', error }),
    );
    for (;;) {
      await setImmediate();
      if (ended !== null) return ended;
      if (process.isDead) return { status: 'crashed' };
      if (process.wakeThoseDue() || process.underWay > 0) continue;
      if (this.options.isTimePassing === false || !this.letTimePass(process)) {
        process.isDead = true;
        return { status: 'waiting' };
      }
    }
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

  consume(wait: EventWait): CloudEvent | null {
    const found = this.events.find(({ event, isConsumed }) => !isConsumed && matchesEvent(wait.with, event));
    if (!found) return null;
    found.isConsumed = true;
    return found.event;
  }

  private letTimePass(process: Process): boolean {
    const next = Math.min(...process.waiting.map(({ record }) => record.wakeAt ?? Infinity));
    if (next === Infinity) return false;
    this.now = Math.max(this.now, next);
    return true;
  }
}

interface Waiting {
  record: StepRecord;
  isStopped: () => boolean;
  /** Returns whether the wait is over. */
  look: () => boolean;
}

/** A process that executes the run, until it dies. */
class Process {
  isDead = false;
  /** How many calls are under way that end by themselves. */
  underWay = 0;
  waiting: Waiting[] = [];

  constructor(private readonly run: InMemoryRun) {}

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

/** The steps of a run, as one process or one branch of it sees them. */
class InMemorySteps implements DurableSteps {
  private readonly stopping = new AbortController();

  constructor(
    private readonly memory: InMemoryRun,
    private readonly process: Process,
    private readonly parent: InMemorySteps | null,
  ) {}

  get run(): RunInfo {
    return this.memory.info;
  }

  get isStopped(): boolean {
    return this.process.isDead || this.stopping.signal.aborted || (this.parent?.isStopped ?? false);
  }

  effect(step: StepRef, shown: Json, act: (call: EffectCall) => Promise<Json>): Promise<Outcome> {
    return this.once('effect', step, shown, act);
  }

  child(step: StepRef, call: Required<SubflowCall>, options: { await: boolean }): Promise<Outcome> {
    return this.once('child', step, call.input, async () => {
      if (!this.memory.options.child) throw new Error('this run can start no other');
      const value = await this.memory.options.child(call, options);
      return options.await ? value : { runId: `${this.run.id}:${step.name}` };
    });
  }

  async sleep(step: StepRef, durationMs: () => number): Promise<{ at: string }> {
    const record = this.memory.record(step, 'sleep');
    record.wakeAt ??= this.memory.time() + durationMs();
    return this.until(record, () => (this.isDue(record) ? { at: this.memory.tick() } : null));
  }

  async waitEvent(step: StepRef, wait: EventWait): Promise<{ event: CloudEvent; at: string }> {
    const record = this.memory.record(step, 'event');
    record.wait = wait;
    return this.until(record, () => {
      const event = this.memory.consume(wait);
      return event && { event, at: this.memory.tick() };
    });
  }

  async concurrent(
    step: StepRef,
    blocks: BlockRef[],
    { compete, timeoutMs }: Concurrency,
    execute: (block: BlockRef, steps: DurableSteps) => Promise<BlockResult>,
  ): Promise<ConcurrentOutcome> {
    const record = this.memory.record(step, 'concurrent');
    if (timeoutMs !== null) record.wakeAt ??= this.memory.time() + timeoutMs;
    if (record.result !== null) return this.known(record);
    const branches = blocks.map(() => new InMemorySteps(this.memory, this.process, this));
    const ended: ConcurrentOutcome[] = [];
    const results: BlockResult[] = [];
    let failures = 0;
    blocks.forEach((block, index) => {
      execute(copy(block), branches[index] ?? this).then(
        (result) => {
          results[index] = result;
          if (compete) ended.push({ kind: 'won', index, result, at: '' });
          else if (Object.keys(results).length === blocks.length) ended.push({ kind: 'all', results, at: '' });
        },
        (thrown: unknown) => {
          failures += 1;
          const error = problemOf(thrown);
          if (!compete || failures === blocks.length) ended.push({ kind: 'failed', index, error, at: '' });
        },
      );
    });
    const outcome = await this.until<ConcurrentOutcome>(record, () => {
      const [first] = ended;
      if (first) return { ...first, at: this.memory.tick() };
      return this.isDue(record) ? { kind: 'timeout', at: this.memory.tick() } : null;
    });
    for (const branch of branches) branch.stopping.abort();
    return outcome;
  }

  async busy<T>(work: () => Promise<T>): Promise<T> {
    if (this.isStopped) return never();
    this.process.underWay += 1;
    let result: T;
    try {
      result = await work();
    } finally {
      this.process.underWay -= 1;
    }
    return this.isStopped ? never() : result;
  }

  replacedInput(step: StepRef): Json | undefined {
    return this.memory.options.replacedInputs?.[step.name];
  }

  private async once(
    kind: 'effect' | 'child',
    step: StepRef,
    shown: Json,
    act: (call: EffectCall) => Promise<Json>,
  ): Promise<Outcome> {
    const record = this.memory.record(step, kind, copy(shown));
    if (this.isStopped || record.result !== null) return this.known(record);
    if (this.process.diesAt(step, 'begins')) return never();
    record.starts += 1;
    const outcome = await this.busy(() => this.attempt(step, act));
    if (this.isStopped || this.process.diesAt(step, 'has acted')) return never();
    record.result = copy({ ...outcome, at: this.memory.tick() });
    return this.process.diesAt(step, 'is recorded') ? never() : this.known(record);
  }

  private async attempt(
    step: StepRef,
    act: (call: EffectCall) => Promise<Json>,
  ): Promise<{ ok: true; value: Json } | { ok: false; error: Problem }> {
    try {
      const signal = this.stopping.signal;
      return { ok: true, value: await act({ signal, idempotencyKey: `${this.run.id}:${step.name}` }) };
    } catch (error) {
      return { ok: false, error: problemOf(error) };
    }
  }

  /** Resolves with what `look` finds, now or later, and records it. */
  private until<T>(record: StepRecord, look: () => T | null): Promise<T> {
    if (this.isStopped || record.result !== null) return this.known(record);
    if (this.process.diesAt(record.step, 'begins')) return never();
    return new Promise<T>((resolve) => {
      const finish = (): boolean => {
        const found = look();
        if (found === null) return false;
        record.result = copy(found);
        if (!this.process.diesAt(record.step, 'is recorded')) resolve(copy(found));
        return true;
      };
      this.process.waiting.push({ record, isStopped: () => this.isStopped, look: finish });
    });
  }

  private known<T>(record: StepRecord): Promise<T> {
    return this.isStopped ? never() : Promise.resolve(copy(record.result) as T);
  }

  private isDue({ wakeAt }: StepRecord): boolean {
    return wakeAt !== null && wakeAt <= this.memory.time();
  }
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** Returns what another process would read of a value. */
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
