import type { ClaimedRun } from '../../runs/execution/claimed-run.js';
import type { Programs } from '../../runs/execution/program.js';
import type { CancelledRun, Ending, Woken } from '../run-ending.table.js';
import type { RunReports } from '../run-reports.service.js';
import type { RunStateStore } from '../run-state.store.js';
import type { StepStore } from '../step.store.js';

/** The environment of an execution. */
export interface Surroundings {
  states: RunStateStore;
  steps: StepStore;
  programs: Programs;
  reports: RunReports;
  now(): Date;
  /** Returns the partition for a new run. */
  partition(): number;
}

/**
 * Is notified of the progress of an execution. Each execution calls exactly one of the last four methods, once, unless it is
 * released.
 */
export interface ExecutionListener {
  childInserted(child: Woken): void;
  cancelled(runs: readonly CancelledRun[]): void;
  /** Called when only short waits are left. Returns whether the run may stay in memory until they end. */
  mayStay(run: ClaimedRun): boolean;
  /** @param isYielded true when its steps only wait for other runs, which need its place */
  placeYielded(run: ClaimedRun, isYielded: boolean): void;
  /** Called when the run no longer waits. */
  continued(run: ClaimedRun): void;
  ended(run: ClaimedRun, ending: Ending, woken: readonly Woken[]): void;
  /** @param hasNews true when there is news in the meantime: check the run again immediately */
  suspended(run: ClaimedRun, wakeAt: Date | null, hasNews: boolean): void;
  /** Called when the run must be executed again from the beginning. */
  mustRestart(run: ClaimedRun): void;
  /** Called when another process executes the run now, or it was cancelled or aborted. */
  lost(run: ClaimedRun): void;
}
