import type { DurableSteps, StepRef } from './durable-steps.js';
import { callInRounds } from './function-rounds.js';
import type { Json, JsonObject } from './json.js';
import { WorkflowError } from './workflow-error.js';
import type { WorkflowHost } from './workflow-host.js';

export interface SkillOptions {
  name: string;
  input: JsonObject;
  steps: DurableSteps;
  host: WorkflowHost;
}

/**
 * Executes a function of the host as a separate run, with the questions that it asks, and returns its result.
 * @throws WorkflowError and nothing else
 */
export const interpretSkill = (options: SkillOptions): Promise<Json> => callAsStep(SKILL_STEP, options);

/** Executes a function of the host as a step, with the questions that it asks, and returns its result. @throws WorkflowError */
export function callAsStep(called: StepRef, { name, input, steps, host }: SkillOptions): Promise<Json> {
  return callInRounds(called, {
    call: async (step, round) => {
      const outcome = await steps.effect(step, input, (call) => host.callFunction(name, input, call, round));
      if (outcome.ok) return outcome.value;
      throw new WorkflowError({ instance: step.task, ...outcome.error });
    },
    ask: async (step, wait) => (await steps.waitEvent(step, wait)).event,
  });
}

const SKILL_STEP: StepRef = { name: '/call', task: '/call', attempt: 1 };
