import type { SkillDefinition, SkillContext, SkillOutput } from '#skill-kit';

/** Why an execution was stopped before the skill was done. */
export class ExecutionStopped extends Error {
  constructor(readonly outcome: 'timeout' | 'cancelled') {
    super(outcome === 'timeout' ? 'The time limit was reached' : 'The call was cancelled');
  }
}

/**
 * Executes a skill until it is done, `limitMs` have passed, or `outer` is aborted, whichever comes first. In the latter
 * two cases the skill's own signal is aborted and what it still returns is dropped. @throws ExecutionStopped
 */
export function executeWithin(
  limitMs: number,
  outer: AbortSignal,
  skill: SkillDefinition,
  input: object,
  context: Omit<SkillContext, 'signal'>,
): Promise<SkillOutput> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const stop = (outcome: 'timeout' | 'cancelled') => {
      const reason = new ExecutionStopped(outcome);
      reject(reason);
      controller.abort(reason);
    };
    const onCancelled = () => stop('cancelled');
    const timer = setTimeout(() => stop('timeout'), limitMs);
    outer.addEventListener('abort', onCancelled);
    if (outer.aborted) onCancelled();

    const finish = () => {
      clearTimeout(timer);
      outer.removeEventListener('abort', onCancelled);
    };
    const run = async () => skill.execute(input, { ...context, signal: controller.signal });
    run().then(resolve, reject).finally(finish);
  });
}
