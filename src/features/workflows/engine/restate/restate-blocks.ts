import type * as RestateSdk from '@restatedev/restate-sdk';
import {
  type BlockRef,
  type BlockResult,
  type ConcurrentOutcome,
  type Concurrency,
  type Problem,
  standardError,
  type StepRef,
} from '#open-workflow';
import { hasOutcome } from '../step-outcome.js';
import type { StepRecord, StoredStep } from '../step.store.js';
import { type BlockCall, type BlockEnd, BLOCKS } from './services.js';
import type { Branch } from './branch.js';
import { stopBlocks } from './stopped-blocks.js';

type Decision =
  | { kind: 'all'; results: BlockResult[] }
  | { kind: 'won'; index: number; result: BlockResult }
  | { kind: 'failed'; index: number; error: Problem }
  | { kind: 'timeout' };

interface Started {
  seq: number;
  startedAt: string;
  /** Deadline of the blocks; null = none. */
  wakeAt: string | null;
}

interface Ended {
  outcome: ConcurrentOutcome;
  endSeq: number;
}

/** Several blocks of a run that are executed concurrently, each by a separate invocation. */
export class RestateBlocks {
  constructor(
    private readonly branch: Branch,
    private readonly step: StepRef,
    private readonly options: Concurrency,
  ) {}

  async execute(blocks: BlockRef[]): Promise<ConcurrentOutcome> {
    const started = await this.begin();
    if ('outcome' in started) return this.continueAfter(started);
    const calls = blocks.map((block) => this.call(block, blocks.length, started.seq));
    const decision = await this.decide(calls, started.wakeAt);
    const outcome = this.continueAfter(await this.record(blocks, started, decision));
    await this.stopOthers(calls, outcome);
    return outcome;
  }

  private continueAfter({ outcome, endSeq }: Ended): ConcurrentOutcome {
    this.branch.advanceTo(endSeq);
    return outcome;
  }

  private begin(): Promise<Started | Ended> {
    const { branch, step, options } = this;
    const seq = branch.nextSeq();
    return branch.once(step.name, step.name, async (known): Promise<Started | Ended> => {
      if (hasOutcome(known)) return endedAs(known);
      const startedAt = known?.startedAt ?? new Date().toISOString();
      if (options.timeoutMs === null) return { seq, startedAt, wakeAt: null };
      const wakeAt = known?.wakeAt ?? new Date(Date.now() + options.timeoutMs);
      if (!known) await branch.record(step, { seq, kind: 'concurrent', status: 'waiting', startedAt, wakeAt });
      return { seq, startedAt, wakeAt: wakeAt.toISOString() };
    });
  }

  private call(block: BlockRef, of: number, after: number): RestateSdk.InvocationPromise<BlockEnd> {
    const { context, run, isAlone, around } = this.branch;
    const parameter: BlockCall = {
      ...{ runId: run.id, block, watcher: this.step.name, after },
      isAlone: isAlone && of === 1,
    };
    const inputSerde = around.sdk.serde.json as RestateSdk.Serde<BlockCall>;
    const outputSerde = around.sdk.serde.json as RestateSdk.Serde<BlockEnd>;
    return context.genericCall<BlockCall, BlockEnd>({ ...BLOCKS, parameter, inputSerde, outputSerde });
  }

  /** Waits until the common outcome of the blocks is decided. The recorded outcome counts. */
  private async decide(
    calls: readonly RestateSdk.RestatePromise<BlockEnd>[],
    wakeAt: string | null,
  ): Promise<Decision> {
    const { RestatePromise, TerminalError, CancelledError } = this.branch.around.sdk;
    const last: { failure?: Decision } = {};
    const results = calls.map((call, index) =>
      call.map((end, failure) => {
        if (end && 'result' in end) return { index, result: end.result };
        last.failure = { kind: 'failed', index, error: end && 'error' in end ? end.error : STOPPED.problem };
        throw failure ?? new TerminalError('The block has failed.');
      }),
    );
    const decided: RestateSdk.RestatePromise<Decision> = this.options.compete
      ? RestatePromise.any(results).map((won, failure) => {
          if (won) return { kind: 'won', ...won };
          throw failure ?? new TerminalError('All blocks have failed.');
        })
      : RestatePromise.all(results).map((all, failure) => {
          if (all) return { kind: 'all', results: all.map(({ result }) => result) };
          throw failure ?? new TerminalError('A block has failed.');
        });
    try {
      return await RestatePromise.race([decided, ...this.deadline(wakeAt)]);
    } catch (error) {
      return !last.failure || error instanceof CancelledError ? this.branch.stop(error) : last.failure;
    }
  }

  private deadline(wakeAt: string | null): RestateSdk.RestatePromise<Decision>[] {
    if (wakeAt === null) return [];
    const { context } = this.branch;
    return [context.sleep(Math.max(0, Date.parse(wakeAt) - Date.now())).map(() => ({ kind: 'timeout' }))];
  }

  private record(blocks: readonly BlockRef[], { seq, startedAt }: Started, decision: Decision): Promise<Ended> {
    const { branch, step } = this;
    return branch.once(`${step.name} over`, step.name, async (known) => {
      if (hasOutcome(known)) return endedAs(known);
      const now = new Date();
      const outcome: ConcurrentOutcome = { ...decision, at: now.toISOString() };
      const names = blocks.map((block) => block.step.name);
      if (decision.kind !== 'all') {
        await stopBlocks(branch.around, { runId: branch.run.id, epoch: null, blocks: names, watcher: step.name }, now);
      }
      const endSeq = 1 + (await branch.around.runs.lastSeq(branch.run.id));
      const record: StepRecord = { seq, endSeq, kind: 'concurrent', status: 'completed', output: outcome, startedAt };
      const losers = decision.kind === 'won' ? names.filter((_, index) => index !== decision.index) : [];
      await branch.record(step, { ...record, endedAt: outcome.at }, losers);
      branch.around.reports.stepEnded(branch.run, step);
      return { outcome, endSeq };
    });
  }

  /** Cancels the invocations that have not ended, with those for which they wait. */
  private async stopOthers(
    calls: readonly RestateSdk.InvocationPromise<BlockEnd>[],
    outcome: ConcurrentOutcome,
  ): Promise<void> {
    if (outcome.kind === 'all') return;
    const ended = outcome.kind === 'timeout' ? null : outcome.index;
    for (const [index, call] of calls.entries()) {
      if (index === ended) continue;
      this.branch.context.cancel(await this.branch.await(call.invocationId));
    }
  }
}

const endedAs = ({ output, seq, endSeq }: StoredStep): Ended => ({
  outcome: output as ConcurrentOutcome,
  endSeq: endSeq ?? seq,
});

const STOPPED = standardError('runtime', 'The invocation of this block was cancelled on Restate.');
