import type { BlockRef, BlockResult, DurableSteps, Continuation, Json, SubflowCall } from '#open-workflow';
import type { ClaimedRun } from './claimed-run.js';

/** A program that a run executes, over durable steps. Both methods throw only `WorkflowError`. */
export interface Program {
  execute(steps: DurableSteps): Promise<Json>;
  executeBlock(block: BlockRef, steps: DurableSteps): Promise<BlockResult>;
}

export type ProgramName = Pick<ClaimedRun, 'program' | 'name' | 'version'>;

export abstract class Programs {
  /** @throws WorkflowError when the program no longer exists */
  abstract programOf(run: ClaimedRun): Promise<Program>;
  /** Returns the types of the events that a run may wait for; `*` = any type. */
  abstract eventTypesOf(run: ProgramName & Pick<ClaimedRun, 'isTest' | 'client'>): Promise<string[]>;
  /**
   * Returns the current version of a program.
   * @param continuation where a run is to continue, with the results of the given version; null = from the start
   * @throws WorkflowError when the versions differ before that point, or there is no current version
   */
  abstract currentOf(program: ProgramName, continuation: Continuation | null): Promise<ProgramName>;
  /** Returns the tags that policies see on a program. @throws WorkflowError when the program no longer exists */
  abstract tagsOf(program: ProgramName): Promise<readonly string[]>;
  /** Finds the workflow that another one calls. @throws WorkflowError */
  abstract calledBy(call: Required<SubflowCall>, run: ClaimedRun): Promise<ProgramName>;
}
