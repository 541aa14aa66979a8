import { withDefaults } from '#json-schema';
import type { BlockRef, BlockResult, DurableSteps } from './durable-steps.js';
import { durationMs } from './durations.js';
import type { Execution, RuntimeInfo, Branch } from './execution.js';
import type { Expressions } from './expressions.js';
import { runBlock, runPart } from './flow.js';
import { withoutRefusedKey } from './http/request-key.js';
import type { Json } from './json.js';
import { Budget, DEFAULT_LIMITS, type Limits } from './limits.js';
import type { WorkflowDefinition } from './model.js';
import { evaluationOf, workflowScope } from './task-run.js';
import { timeoutError, timeoutOf } from './timeouts.js';
import { errorAt, WorkflowError } from './workflow-error.js';
import type { WorkflowHost } from './workflow-host.js';

export interface InterpretOptions {
  /** The raw input of the workflow, also for one of its blocks. */
  input: Json;
  steps: DurableSteps;
  host: WorkflowHost;
  expressions: Expressions;
  limits?: Partial<Limits>;
  /** The value of `$runtime` in expressions. */
  runtime?: RuntimeInfo;
}

/**
 * Executes a workflow over durable steps and returns its output. It may be executed again from the start at any time, over the
 * same steps, and then continues where it left off.
 * @throws WorkflowError and nothing else
 */
export async function interpretWorkflow(definition: WorkflowDefinition, options: InterpretOptions): Promise<Json> {
  const execution = executionOf(definition, options);
  const branch: Branch = { steps: options.steps, at: options.steps.run.startedAt, context: {} };
  const evaluation = evaluationOf(execution, branch, workflowScope(execution, branch));
  const input = await at('/input', async () => {
    const { input: filled } = execution;
    for (const one of filled === options.input ? [filled] : [options.input, filled])
      await evaluation.check(definition.input?.schema, one, 'input of the workflow');
    const from = definition.input?.from;
    return from === undefined ? filled : evaluation.transform(from, filled);
  });
  const root: BlockRef = {
    step: { name: '/do', task: '/do', attempt: 1 },
    input,
    context: branch.context,
    variables: {},
    at: branch.at,
    isTimed: true,
  };
  const result = await at('/timeout', () => runRoot(execution, branch, root)).catch(rethrow);
  branch.context = result.context;
  return at('/output', async () => {
    const as = definition.output?.as;
    const output = as === undefined ? result.output : await evaluation.transform(as, result.output);
    await evaluation.check(definition.output?.schema, output, 'output of the workflow');
    return output;
  });
}

/**
 * Executes a block of a workflow that an engine has moved elsewhere.
 * @throws WorkflowError and nothing else
 */
export function interpretBlock(
  definition: WorkflowDefinition,
  block: BlockRef,
  options: InterpretOptions,
): Promise<BlockResult> {
  return at(block.step.task, () => runBlock(executionOf(definition, options), options.steps, block));
}

async function runRoot(execution: Execution, branch: Branch, root: BlockRef): Promise<BlockResult> {
  const { definition, budget } = execution;
  const { steps } = branch;
  if (definition.timeout === undefined) return runPart(execution, branch, root);
  const evaluation = evaluationOf(execution, branch, workflowScope(execution, branch));
  const { after } = timeoutOf(definition, definition.timeout);
  const timeoutMs = durationMs(await evaluation.template(after, root.input));
  const step = { name: '/timeout', task: '/timeout', attempt: 1 };
  budget.countStep(step.name);
  const outcome = await steps.concurrent(step, [root], { compete: false, timeoutMs }, (block, inner) =>
    runBlock(execution, inner, block),
  );
  branch.at = outcome.at;
  if (outcome.kind === 'timeout') throw timeoutError('workflow', timeoutMs);
  if (outcome.kind === 'failed') throw new WorkflowError(outcome.error);
  const result = outcome.kind === 'won' ? outcome.result : outcome.results[0];
  if (result === undefined) throw new Error('an engine returned no result for a block');
  if (result.error) throw new WorkflowError(result.error);
  return result;
}

function executionOf(definition: WorkflowDefinition, options: InterpretOptions): Execution {
  const { input, host, expressions, limits, runtime = { name: 'agent-service', version: '1' } } = options;
  const budget = new Budget({ ...DEFAULT_LIMITS, ...limits });
  return {
    definition,
    input: withDefaults(input, definition.input?.schema?.document),
    host,
    expressions,
    runtime,
    budget,
    yieldedAt: performance.now(),
    turn: Promise.resolve(),
  };
}

function rethrow(error: unknown): never {
  throw error instanceof WorkflowError ? new WorkflowError(withoutRefusedKey(error.problem)) : error;
}

/** Runs work and assigns its errors to a part of the definition, unless they already have one. */
async function at<T>(instance: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw errorAt(instance, error);
  }
}
