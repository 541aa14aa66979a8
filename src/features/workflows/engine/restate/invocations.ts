import { Logger } from '@nestjs/common';
import type * as RestateSdk from '@restatedev/restate-sdk';
import { type Json, problemOf, WorkflowError } from '#open-workflow';
import type { ClaimedRun } from '../../runs/execution/claimed-run.js';
import type { Program } from '../../runs/execution/program.js';
import type { Ending } from '../run-ending.table.js';
import { problemOfRun } from '../step-outcome.js';
import type { RestateApi } from './restate-api.js';
import type { ReplacedInputs } from './restate-run.store.js';
import { RestateSteps } from './restate-steps.js';
import type { BlockCall, BlockEnd, RunCall } from './services.js';
import { Branch, type Surroundings } from './branch.js';
import { stopBlocks } from './stopped-blocks.js';

/** The invocations on Restate that this process executes. */
export class Invocations {
  private readonly logger = new Logger('Run');

  constructor(
    private readonly around: Surroundings,
    private readonly api: RestateApi,
  ) {}

  async executeRun(context: RestateSdk.Context, { id }: RunCall): Promise<void> {
    const { run, program } = await this.prepare(context, id);
    const replaced = await this.replacedOf(run);
    const branch = new Branch(run, true, context, this.around, replaced.seq);
    const steps = new RestateSteps(branch, replaced.inputs);
    const executed =
      run.entry === null ? program.execute(steps) : program.executeBlock(run.entry, steps).then(outputOf);
    const ended = executed.then(
      async (output) => this.end(branch, { status: 'completed', output }),
      async (error: unknown) => this.end(branch, { status: 'failed', error: problemOfRun(run, error, this.logger) }),
    );
    const reason = await Promise.race([ended, branch.stopped]);
    if (reason !== undefined) await this.stopRun(run, reason);
  }

  /** Executes a block of a run. */
  async executeBlock(context: RestateSdk.Context, call: BlockCall): Promise<BlockEnd> {
    const { runId, block, watcher, isAlone, after } = call;
    const { run, program } = await this.prepare(context, runId);
    const branch = new Branch(run, isAlone, context, this.around, after);
    const { inputs } = await this.replacedOf(run);
    const ended = program.executeBlock(block, new RestateSteps(branch, inputs)).then(
      (result): BlockEnd => ({ result }),
      (error: unknown): BlockEnd => ({ error: problemOf(error) }),
    );
    const stopped = branch.stopped.then((reason) => ({ reason }));
    const end = await Promise.race([ended, stopped]);
    if (!('reason' in end)) return end;
    this.assertFinal(end.reason);
    // Work in progress may have started a run in the meantime.
    await branch.settle();
    await stopBlocks(this.around, { runId, epoch: null, blocks: [block.step.name], watcher }, new Date());
    return { isStopped: true };
  }

  /** Loads the run and its program. @throws when it cannot be executed, or not now */
  private async prepare(context: RestateSdk.Context, id: string): Promise<{ run: ClaimedRun; program: Program }> {
    const run = await this.around.runs.find(id);
    if (!run) return this.abandon(context, `There is no run ${id} (any more).`);
    try {
      return { run, program: await this.around.programs.programOf(run) };
    } catch (error) {
      if (!(error instanceof WorkflowError)) throw error;
      await this.around.runs.resume(id, new Date());
      const ending: Ending = { status: 'failed', error: error.problem };
      if (await this.around.stores.states.end(run, ending, new Date())) this.around.reports.ended(run, ending);
      return this.abandon(context, error.message);
    }
  }

  /** Ends an invocation that can never be replayed as it was started. */
  private async abandon(context: RestateSdk.Context, reason: string): Promise<never> {
    this.logger.warn(reason);
    await this.api.kill(context.request().id);
    throw new Error(reason);
  }

  private async replacedOf({ id, origin }: ClaimedRun): Promise<ReplacedInputs> {
    return origin === 'repeat' ? this.around.runs.findReplacedInputs(id) : { inputs: new Map(), seq: 0 };
  }

  private end(branch: Branch, ending: Ending): Promise<void> {
    return this.writeEnd(branch, 'end', ending).catch((error: unknown) => {
      if (!(error instanceof WorkflowError)) throw error;
      return this.writeEnd(branch, 'failed end', { status: 'failed', error: error.problem });
    });
  }

  private async writeEnd(branch: Branch, name: string, ending: Ending): Promise<void> {
    const { stores, reports } = this.around;
    await branch.once(name, '', async () => {
      const affected = await branch.persist(() => stores.states.end(branch.run, ending, new Date()));
      if (!affected) return branch.lose();
      reports.ended(branch.run, ending);
      for (const run of affected.cancelled) reports.cancelled(run);
      return null;
    });
  }

  /** Cancels a run whose invocation was cancelled, or leaves it to the next attempt. */
  private async stopRun({ id }: ClaimedRun, reason: unknown): Promise<void> {
    this.assertFinal(reason);
    const { cancelled } = await this.around.stores.states.cancel(id, new Date());
    for (const run of cancelled) this.around.reports.cancelled(run);
  }

  /** @throws the reason when it does not end the invocation, but only this attempt */
  private assertFinal(reason: unknown): void {
    if (!(reason instanceof this.around.sdk.TerminalError)) throw reason;
  }
}

const outputOf = ({ output }: { output: Json }): Json => output;
