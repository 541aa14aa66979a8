import type { Logger } from '@nestjs/common';
import { isInputNeeded, type Json, type Outcome, type Problem, standardError, WorkflowError } from '#open-workflow';
import type { ClaimedRun } from '../runs/execution/claimed-run.js';
import type { StepRecord, StoredStep } from './step.store.js';

/** A step that takes longer than this is shown while in progress, which costs a write. */
export const SHOWN_AFTER_MS = 50;
const LONGEST_REASON = 300;
const LARGEST_OUTPUT_BYTES = 1024 * 1024;

type EndedStep = StoredStep & { status: 'completed' | 'failed' };

export const hasOutcome = (step: StoredStep | undefined): step is EndedStep =>
  step?.status === 'completed' || step?.status === 'failed';

export type StepResult = { value: Json } | { error: Problem };

/** Calls a function and returns its result or error, within the limits of recorded values. */
export async function settle(act: () => Promise<Json>): Promise<StepResult> {
  try {
    const value = (await act()) ?? null;
    const bytes = Buffer.byteLength(JSON.stringify(value));
    if (bytes <= LARGEST_OUTPUT_BYTES) return { value };
    const detail = `The result has ${bytes} bytes. A step may return at most ${LARGEST_OUTPUT_BYTES}: ask for less.`;
    return { error: standardError('runtime', detail).problem };
  } catch (error) {
    if (error instanceof WorkflowError) return { error: error.problem };
    const detail = error instanceof Error ? error.message : String(error);
    return { error: standardError('runtime', detail.slice(0, 2_000)).problem };
  }
}

export function refusedWrite(error: unknown): WorkflowError {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_REASON).toWellFormed();
  return standardError('runtime', `The database refuses what the run writes, and would do so again: ${reason}`);
}

export function toOutcome({ status, output, error, endedAt, startedAt }: StoredStep): Outcome {
  const at = endedAt ?? startedAt;
  return status === 'completed' || error === null ? { ok: true, value: output, at } : { ok: false, error, at };
}

/** Returns the record of a step that ends with a result, and its outcome. */
export function endedStep(
  record: Omit<StepRecord, 'status'>,
  result: StepResult,
  at: string,
): { ending: StepRecord; outcome: Outcome } {
  return 'value' in result
    ? {
        ending: { ...record, status: 'completed', output: result.value, endedAt: at },
        outcome: { ok: true, value: result.value, at },
      }
    : {
        ending: { ...record, status: 'failed', error: result.error, endedAt: at },
        outcome: { ok: false, error: result.error, at },
      };
}

/** Returns whether a step is over: a task that asks a person continues after the answer. */
export const isOver = (outcome: Outcome): boolean => !(outcome.ok && isInputNeeded(outcome.value));

/** Returns the record of a step that starts a run. */
export const childRecord = (
  record: Omit<StepRecord, 'status'>,
  child: string,
  options: { await: boolean },
): StepRecord =>
  options.await
    ? { ...record, status: 'waiting', wait: { child } }
    : { ...record, status: 'completed', wait: { child }, output: { runId: child }, endedAt: record.startedAt };

/** Returns the problem that a run ends with. Errors that are no `WorkflowError` are only logged. */
export function problemOfRun({ id }: ClaimedRun, error: unknown, logger: Logger): Problem {
  if (error instanceof WorkflowError) return error.problem;
  logger.error({ err: error, run: id }, 'A run failed in an unexpected way');
  return standardError('runtime', 'The run failed in an unexpected way; the log of the service says more.').problem;
}
