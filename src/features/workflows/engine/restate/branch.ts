import type * as RestateSdk from '@restatedev/restate-sdk';
import { isRefusal } from '../../../../platform/database/database-failure.rules.js';
import { type Problem, type StepRef, WorkflowError } from '#open-workflow';
import { hasEnded } from '../../runs/run.js';
import type { ClaimedRun } from '../../runs/execution/claimed-run.js';
import type { EngineStores } from '../engine-stores.service.js';
import type { Programs } from '../../runs/execution/program.js';
import { RunReleased } from '../../runs/execution/run-engine.js';
import type { RunReports } from '../run-reports.service.js';
import { refusedWrite } from '../step-outcome.js';
import type { StepRecord, StoredStep } from '../step.store.js';
import type { RestateRunStore } from './restate-run.store.js';

/** Restate's SDK, loaded only when runs are executed on Restate. */
export type Sdk = typeof RestateSdk;

/** The environment of executions on Restate. */
export interface Surroundings {
  sdk: Sdk;
  stores: EngineStores;
  runs: RestateRunStore;
  programs: Programs;
  reports: RunReports;
  /** Counts work in progress, and refuses new work when the service stops. */
  duty: Duty;
}

/** Work in this process that should not be interrupted. */
export class Duty {
  private underWay = 0;
  private isOver = false;

  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.isOver) throw new Error('This process stops; another one continues the run.');
    this.underWay += 1;
    try {
      return await work();
    } finally {
      this.underWay -= 1;
    }
  }

  /** Stops accepting work. Resolves when none is in progress, or after the timeout. */
  async end(patienceMs: number): Promise<void> {
    this.isOver = true;
    const deadline = performance.now() + patienceMs;
    while (this.underWay > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const [FIRST_RETRY_MS, LONGEST_RETRY_MS] = [50, 2_000];

/**
 * The execution of one invocation on Restate: a run, or a block of one. Its requests to Restate are sequential and in
 * deterministic order, so that Restate can replay it after a crash. Once stopped, nothing of it returns.
 */
export class Branch {
  private readonly controller = new AbortController();
  private readonly underWay = new Set<Promise<unknown>>();
  private readonly stopping = Promise.withResolvers<unknown>();

  /**
   * @param isAlone true when nothing else of the run is executed concurrently
   * @param lastSeq the last sequence number of the run, as far as this branch knows
   */
  constructor(
    readonly run: ClaimedRun,
    readonly isAlone: boolean,
    readonly context: RestateSdk.Context,
    readonly around: Surroundings,
    private lastSeq: number,
  ) {}

  /** Returns the next sequence number, the same on replay. */
  nextSeq(): number {
    return (this.lastSeq += 1);
  }

  /** Makes the next sequence number greater than this one. */
  advanceTo(seq: number): void {
    this.lastSeq = Math.max(this.lastSeq, seq);
  }

  /** Fires when work in progress should stop. */
  get signal(): AbortSignal {
    const { attemptCompletedSignal } = this.context.request();
    const released = new AbortController();
    const release = () => released.abort(new RunReleased());
    if (attemptCompletedSignal.aborted) release();
    else attemptCompletedSignal.addEventListener('abort', release, { once: true });
    return AbortSignal.any([this.controller.signal, released.signal]);
  }

  /** Resolves with the reason once the branch is stopped; otherwise never. */
  get stopped(): Promise<unknown> {
    return this.stopping.promise;
  }

  /** Awaits a promise of Restate. An error stops the branch: a cancellation, or a new attempt. */
  async await<T>(promise: Promise<T>): Promise<T> {
    try {
      return await promise;
    } catch (error) {
      return this.stop(error);
    }
  }

  /** Awaits an invocation on Restate, regardless of its outcome. */
  async settled(promise: RestateSdk.RestatePromise<unknown>): Promise<void> {
    const { TerminalError, CancelledError } = this.around.sdk;
    try {
      await promise;
    } catch (error) {
      if (!(error instanceof TerminalError) || error instanceof CancelledError) await this.stop(error);
    }
  }

  /**
   * Does work in the database once. Stops the branch when the run has ended, because it was cancelled.
   * @throws WorkflowError when the database refuses a write
   * @param work gets the recorded step: after a crash, the work is executed again
   */
  async once<T>(name: string, step: string, work: (known: StoredStep | undefined) => Promise<T>): Promise<T> {
    const done = await this.await(
      this.context.run(name, () => this.perform(() => unlessRefused(async () => work(await this.enter(step))))),
    );
    if ('refused' in done) throw new WorkflowError(done.refused);
    return done.value;
  }

  private async perform<T>(work: () => Promise<T>): Promise<T> {
    const performed = this.around.duty.during(work);
    this.underWay.add(performed);
    try {
      return await performed;
    } finally {
      this.underWay.delete(performed);
    }
  }

  /** Resolves when none of its work in the database, or outside, is in progress. Restate does not wait for that when it cancels. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.underWay);
  }

  /** Writes to the database, with retries while it does not respond. @throws when the attempt has ended */
  async persist<T>(work: () => Promise<T>): Promise<T> {
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(2 * delayMs, LONGEST_RETRY_MS)) {
      try {
        return await work();
      } catch (error) {
        if (this.signal.aborted || isRefusal(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, delayMs).unref());
      }
    }
  }

  /** Records a step. @throws the error that ends this attempt, when it has lost the right to write */
  async record(step: StepRef, record: StepRecord, losers: readonly string[] = []): Promise<void> {
    if (!(await this.write(step, record, losers))) await this.lose();
  }

  /**
   * Records a step if this attempt may write. A block that is being stopped may have just suspended the run: this resumes it.
   * @param losers blocks whose events are released
   * @throws TerminalError when the run has ended
   */
  async write(step: StepRef, record: StepRecord, losers: readonly string[] = []): Promise<boolean> {
    const { runs, stores } = this.around;
    const write = () =>
      this.persist(() =>
        losers.length === 0
          ? stores.steps.record(this.run, step, record)
          : stores.steps.recordWinner(this.run, step, record, losers, (transaction, events) =>
              runs.handOutAll(transaction, this.run.id, events, new Date()),
            ),
      );
    if (await write()) return true;
    await this.persist(() => this.enter(''));
    return write();
  }

  /** Records that the run waits, if this is known. */
  async rest(wakeAt: Date | null): Promise<void> {
    if (!this.isAlone) return;
    const { stores, reports } = this.around;
    const outcome = await stores.states.suspend(this.run, wakeAt, null, new Date());
    if (outcome === 'suspended') reports.waiting(this.run);
  }

  /** Stops everything: nothing starts or returns any more. */
  async stop(reason: unknown): Promise<never> {
    this.controller.abort();
    this.stopping.resolve(reason);
    return new Promise(() => {});
  }

  /**
   * Ends this attempt, which has lost the right to write.
   * @throws TerminalError when the run has ended, so that Restate does not retry; Error when another attempt was faster.
   */
  async lose(): Promise<never> {
    await this.enter('');
    throw new Error('Something else has happened to this run meanwhile. It is looked at again.');
  }

  private async enter(step: string): Promise<StoredStep | undefined> {
    const { runs, reports, sdk } = this.around;
    const found = await runs.findState(this.run.id, step);
    if (!found || hasEnded(found.status))
      throw new sdk.TerminalError(`The run ${this.run.id} has ended.`, { errorCode: 410 });
    if (found.status !== 'running' && (await runs.resume(this.run.id, new Date()))) reports.running(this.run);
    return found.step;
  }
}

/** Returns the result of work, or the problem when the database refuses a write. */
async function unlessRefused<T>(work: () => Promise<T>): Promise<{ value: T } | { refused: Problem }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (isRefusal(error)) return { refused: refusedWrite(error).problem };
    throw error;
  }
}
