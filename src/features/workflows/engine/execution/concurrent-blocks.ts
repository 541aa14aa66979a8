import {
  type BlockRef,
  type BlockResult,
  type ConcurrentOutcome,
  type Concurrency,
  standardError,
  problemOf,
  type StepRef,
  WorkflowError,
} from '#open-workflow';
import type { StepRecord } from '../step.store.js';
import type { Execution } from './execution.js';
import { never, type Scope, type Wait } from './scope.js';

type ExecuteOne = (block: BlockRef, scope: Scope) => Promise<BlockResult>;

const STARTED_AT_ONCE = 16;
/** Maximum for one run: each block takes memory, and some time at each check whether the run can be suspended. */
const MOST_OPEN = 2_000;
const TOO_MANY = `The run would have more than ${MOST_OPEN} branches at the same time, which is the limit. Look for functions that call themselves, or fork less at once.`;

/** Several blocks that are executed concurrently, until their common outcome is decided. */
export class ConcurrentBlocks {
  private readonly inner: Scope;
  private readonly results: BlockResult[] = [];
  private readonly started: { seq: number; startedAt: string };
  private readonly decided = Promise.withResolvers<ConcurrentOutcome>();
  private failures = 0;
  private ended = 0;

  constructor(
    private readonly execution: Execution,
    private readonly scope: Scope,
    private readonly step: StepRef,
    private readonly options: Concurrency,
  ) {
    this.inner = scope.within();
    this.started = execution.recorded.get(step.name) ?? { seq: execution.nextSeq(), startedAt: this.now() };
  }

  async execute(blocks: BlockRef[], executeOne: ExecuteOne): Promise<ConcurrentOutcome> {
    if (this.inner.count + blocks.length > MOST_OPEN) throw this.refused();
    const started = blocks.map((block) => ({ block, scope: this.inner.within() }));
    const deadline = await this.watchDeadline();
    await this.execution.during(this.scope, () => this.begin(started, executeOne));
    if (blocks.length === 0) this.decide({ kind: 'all', results: [], at: this.now() });
    const outcome = await this.decided.promise;
    if (this.scope.isStopped) return never();
    return this.execution.during(this.scope, () => this.record(blocks, outcome, deadline));
  }

  private refused(): WorkflowError {
    this.scope.leave(this.inner);
    return standardError('runtime', TOO_MANY);
  }

  /** Starts all blocks, some per turn of the event loop: a thousand at once would block the main thread. */
  private async begin(blocks: { block: BlockRef; scope: Scope }[], executeOne: ExecuteOne): Promise<void> {
    for (const [index, { block, scope }] of blocks.entries()) {
      if (index > 0 && index % STARTED_AT_ONCE === 0) await this.execution.turn();
      if (this.inner.isStopped) return;
      executeOne(block, scope).then(
        (result) => this.succeeded(index, result, blocks.length),
        (error: unknown) => this.failed(index, error, blocks.length),
      );
    }
  }

  private succeeded(index: number, result: BlockResult, of: number): void {
    this.results[index] = result;
    this.ended += 1;
    if (this.options.compete) this.decide({ kind: 'won', index, result, at: this.now() });
    else if (this.ended === of) this.decide({ kind: 'all', results: this.results, at: this.now() });
  }

  private failed(index: number, error: unknown, of: number): void {
    this.failures += 1;
    if (this.options.compete && this.failures < of) return;
    this.decide({ kind: 'failed', index, error: problemOf(error), at: this.now() });
  }

  /** The first decision counts. It stops all blocks immediately, before it is written. */
  private decide(outcome: ConcurrentOutcome): void {
    if (this.inner.isStopped) return;
    this.inner.stop();
    this.scope.leave(this.inner);
    this.decided.resolve(outcome);
  }

  /** Records the deadline of the blocks, which stays that of the first execution. null = no deadline. */
  private async watchDeadline(): Promise<Wait | null> {
    const { execution, step, options } = this;
    if (options.timeoutMs === null) return null;
    const before = execution.recorded.get(step.name)?.wakeAt;
    const wakeAt = before ?? new Date(execution.around.now().getTime() + options.timeoutMs);
    const { seq, startedAt } = this.started;
    const record: StepRecord = { seq, kind: 'concurrent', status: 'waiting', startedAt, wakeAt };
    if (!before) {
      await execution.during(this.scope, () =>
        execution.write(this.scope, () => execution.around.steps.record(execution.run, step, record)),
      );
    }
    const wait: Wait = {
      kind: 'wait',
      step,
      wakeAt,
      event: null,
      fits: null,
      seen: 0,
      child: null,
      onDue: () => this.decide({ kind: 'timeout', at: this.now() }),
      onNews: () => {},
      onError: () => {},
    };
    execution.wait(this.scope, wait);
    return wait;
  }

  private async record(
    blocks: readonly BlockRef[],
    outcome: ConcurrentOutcome,
    deadline: Wait | null,
  ): Promise<ConcurrentOutcome> {
    const { execution, step } = this;
    const { seq, startedAt } = this.started;
    if (deadline) execution.settled(this.scope, deadline);
    if (outcome.kind !== 'all') {
      await execution.turn();
      await execution.abandon(namesOf(blocks), step.name);
    }
    const record: StepRecord = {
      seq,
      endSeq: execution.nextSeq(),
      kind: 'concurrent',
      status: 'completed',
      output: outcome,
      startedAt,
      endedAt: outcome.at,
    };
    const { steps } = execution.around;
    const losers = outcome.kind === 'won' ? namesOf(blocks.filter((_, index) => index !== outcome.index)) : [];
    await execution.write(this.scope, () =>
      losers.length === 0
        ? steps.record(execution.run, step, record)
        : steps.recordWinner(execution.run, step, record, losers),
    );
    if (losers.length > 0) execution.nudge();
    execution.around.reports.stepEnded(execution.run, step);
    return outcome;
  }

  private now(): string {
    return this.execution.around.now().toISOString();
  }
}

const namesOf = (blocks: readonly BlockRef[]): string[] => blocks.map((block) => block.step.name);
