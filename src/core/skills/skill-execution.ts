import { CANCELLED_BY_CLIENT } from '#mcp-http';
import {
  isInputRequired,
  type SkillDefinition,
  type SkillContext,
  type SkillOutput,
  type SkillResult,
  text,
} from '#skill-kit';
import { startTimeLimit } from '../../platform/periodic/time-limit.js';

/** Thrown when an execution is stopped before the skill has finished. */
export class ExecutionStopped extends Error {
  /** @param cause why the caller cancelled the call */
  constructor(
    readonly outcome: 'timeout' | 'cancelled',
    cause?: unknown,
  ) {
    super(outcome === 'timeout' ? 'The time limit was reached' : 'The call was cancelled', { cause });
  }
}

/** Returns whether the client has cancelled a call, by the signal of the call or of its skill. */
export const isCancelledByClient = ({ reason }: AbortSignal): boolean =>
  (reason instanceof ExecutionStopped ? reason.cause : reason) === CANCELLED_BY_CLIENT;

/**
 * Executes a skill until it is done, `limitMs` have passed (null = no limit), or `outer` is aborted, whichever comes first. In
 * the latter two cases, aborts the skill's own signal and discards its later result. The signal of a skill that asks its caller
 * is also aborted if `outer` is aborted while the caller is asked.
 * @throws ExecutionStopped
 */
export async function executeWithin(
  limitMs: number | null,
  outer: AbortSignal,
  skill: SkillDefinition,
  input: object,
  context: Omit<SkillContext, 'signal'>,
): Promise<SkillOutput> {
  const controller = new AbortController();
  const output = skill.execute(input, { ...context, signal: controller.signal });
  // A skill that returns its output synchronously needs no timer.
  return output instanceof Promise ? stoppable(output, limitMs, outer, controller) : output;
}

function stoppable(
  output: Promise<SkillOutput>,
  limitMs: number | null,
  outer: AbortSignal,
  controller: AbortController,
): Promise<SkillOutput> {
  return new Promise((resolve, reject) => {
    const finish = () => {
      stopLimit?.();
      outer.removeEventListener('abort', onCancelled);
    };
    const stop = (outcome: 'timeout' | 'cancelled') => {
      finish();
      const reason = new ExecutionStopped(outcome, outer.reason);
      reject(reason);
      controller.abort(reason);
    };
    const onCancelled = () => stop('cancelled');
    const stopLimit = limitMs === null ? null : startTimeLimit(limitMs, () => stop('timeout'));
    outer.addEventListener('abort', onCancelled);
    if (outer.aborted) onCancelled();
    let isAsking = false;
    const end = (value: SkillOutput) => {
      isAsking = isInputRequired(value);
      resolve(value);
    };
    output.then(end, reject).finally(() => (isAsking ? stopLimit?.() : finish()));
  });
}

/**
 * Converts a skill's output to a result that every client can read: some clients show only the text and some only the structured
 * content, so the text repeats the structured content.
 */
export function toSkillResult(output: SkillOutput): SkillResult {
  if (typeof output === 'string') return { content: [text(output)] };
  if (!isSkillResult(output)) {
    return { content: [text(JSON.stringify(output))], structuredContent: { ...output } };
  }
  if (output.content.length > 0 || !output.structuredContent) return output;
  return { ...output, content: [text(JSON.stringify(output.structuredContent))] };
}

function isSkillResult(output: object): output is SkillResult {
  return 'content' in output && Array.isArray(output.content);
}
