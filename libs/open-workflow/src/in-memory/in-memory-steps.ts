import type {
  BlockRef,
  BlockResult,
  CloudEvent,
  Concurrency,
  ConcurrentOutcome,
  DurableSteps,
  EffectCall,
  EventTest,
  EventWait,
  Outcome,
  RunInfo,
  StepRef,
} from '../durable-steps.js';
import { type InMemoryStore, type Process, type StepRecord } from './in-memory-store.js';
import type { Json } from '../json.js';
import type { SubflowCall } from '../model.js';
import { problemOf, type Problem } from '../workflow-error.js';

/** The steps of a run, from the view of one process or one of its branches. */
export class InMemorySteps implements DurableSteps {
  private readonly stopping = new AbortController();
  private readonly signal: AbortSignal;

  /** @param parent null = the steps of the whole run */
  constructor(
    private readonly memory: InMemoryStore,
    private readonly process: Process,
    parent: InMemorySteps | null,
  ) {
    const own = this.stopping.signal;
    this.signal = parent ? AbortSignal.any([parent.signal, own]) : own;
  }

  get run(): RunInfo {
    return this.memory.info;
  }

  get isStopped(): boolean {
    return this.process.isDead || this.signal.aborted;
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

  async sleep(step: StepRef, durationMs: (now: Date) => number): Promise<{ at: string }> {
    const record = this.memory.record(step, 'sleep');
    record.wakeAt ??= this.memory.time() + durationMs(new Date(this.memory.time()));
    return this.until(record, () => (this.isDue(record) ? { at: this.memory.tick() } : null));
  }

  async waitEvent(step: StepRef, wait: EventWait, fits?: EventTest): Promise<{ event: CloudEvent; at: string }> {
    const record = this.memory.record(step, 'event');
    record.wait = wait;
    const failed = Promise.withResolvers<never>();
    const verdictOf = fits && !wait.question ? this.verdictsOf(fits, failed.reject) : () => true;
    const received = this.until(record, () => {
      const event = this.memory.consume(wait, verdictOf);
      return event && { event, at: this.memory.tick() };
    });
    return Promise.race([received, failed.promise]);
  }

  /** Returns a lookup of test verdicts, which are undefined until known; each event is tested once. */
  private verdictsOf(fits: EventTest, onError: (error: unknown) => void): (event: CloudEvent) => boolean | undefined {
    const verdicts = new Map<CloudEvent, boolean | undefined>();
    return (event) => {
      if (!verdicts.has(event)) {
        verdicts.set(event, undefined);
        this.busy(() => fits(event)).then((verdict) => verdicts.set(event, verdict), onError);
      }
      return verdicts.get(event);
    };
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
      const idempotencyKey = `${this.run.id}:${step.name}`;
      return { ok: true, value: await act({ signal: this.signal, idempotencyKey }) };
    } catch (error) {
      return { ok: false, error: problemOf(error) };
    }
  }

  /** Resolves with the result of `check`, now or later, and records it. */
  private until<T>(record: StepRecord, check: () => T | null): Promise<T> {
    if (this.isStopped || record.result !== null) return this.known(record);
    if (this.process.diesAt(record.step, 'begins')) return never();
    return new Promise<T>((resolve) => {
      const finish = (): boolean => {
        const found = check();
        if (found === null) return false;
        record.result = copy(found);
        if (!this.process.diesAt(record.step, 'is recorded')) resolve(copy(found));
        return true;
      };
      this.process.waiting.push({ record, isStopped: () => this.isStopped, check: finish });
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

/** Returns a value as another process would read it. */
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
