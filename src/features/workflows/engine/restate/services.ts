import type { BlockRef, BlockResult, Problem } from '#open-workflow';

/** The service on Restate that executes whole runs. Each run is one invocation, whose idempotency key is the run's id. */
export const RUNS = { service: 'agent-service-runs', method: 'execute' } as const;
/** The service on Restate that executes blocks of runs. Only runs call it. */
export const BLOCKS = { service: 'agent-service-blocks', method: 'execute' } as const;

export interface RunCall {
  id: string;
}

export interface BlockCall {
  runId: string;
  block: BlockRef;
  /** Name of the step that waits for the block. */
  watcher: string;
  /** The last sequence number before the block. */
  after: number;
  /** True when nothing else of the run is executed concurrently. */
  isAlone: boolean;
}

export type BlockEnd = { result: BlockResult } | { error: Problem } | { isStopped: true };
