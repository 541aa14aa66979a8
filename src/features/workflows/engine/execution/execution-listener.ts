import type { StepRef, Told } from '#open-workflow';
import type { ClaimedRun } from '../../runs/execution/claimed-run.js';
import type { Programs } from '../../runs/execution/program.js';
import type { CancelledRun, Ending, RunStateStore, Woken } from '../run-state.store.js';
import type { StepStore } from '../step.store.js';

/** What an execution needs of its surroundings. */
export interface Surroundings {
  states: RunStateStore;
  steps: StepStore;
  programs: Programs;
  now(): Date;
  /** Returns the partition for a new run. */
  partition(): number;
}

/** Who is told what becomes of an execution. Each execution reports one of the last four, once, unless it is released. */
export interface ExecutionListener {
  stepEnded(run: ClaimedRun, step: StepRef): void;
  stepTold(run: ClaimedRun, step: StepRef, told: Told): void;
  /** A person is asked. */
  asked(run: ClaimedRun): void;
  childInserted(child: Woken): void;
  cancelled(runs: readonly CancelledRun[]): void;
  /** All that is left of it are waits that are soon over. Returns whether it may stay in memory until then. */
  mayStay(run: ClaimedRun): boolean;
  /** @param isAside whether its steps only wait for other runs, which need the room that it has */
  stoodAside(run: ClaimedRun, isAside: boolean): void;
  /** It waits no longer. */
  continued(run: ClaimedRun): void;
  ended(run: ClaimedRun, ending: Ending, woken: readonly Woken[]): void;
  /** @param hasNews something has happened meanwhile: look at it again at once */
  parked(run: ClaimedRun, wakeAt: Date | null, hasNews: boolean): void;
  /** It must be executed again from the beginning. */
  mustGoOn(run: ClaimedRun): void;
  /** Another process executes it now, or it was cancelled; or it broke off. */
  lost(run: ClaimedRun): void;
}
