import { type Json, type Outcome, type Problem, standardError, WorkflowError } from '#open-workflow';
import type { StoredStep } from './step.store.js';

/** A step that takes longer than this is shown while in progress, which costs a write. */
export const SHOWN_AFTER_MS = 50;
const LONGEST_REASON = 300;
const LARGEST_OUTPUT_BYTES = 1024 * 1024;

type EndedStep = StoredStep & { status: 'completed' | 'failed' };

export const hasOutcome = (step: StoredStep | undefined): step is EndedStep =>
  step?.status === 'completed' || step?.status === 'failed';

/** Calls a function and returns its result or error, within the limits of recorded values. */
export async function settle(act: () => Promise<Json>): Promise<{ value: Json } | { error: Problem }> {
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
