import { isDeepStrictEqual } from 'node:util';
import type { BlockRef, BlockResult } from '../durable-steps.js';
import type { TaskResult } from '../execution.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { pointerTo } from '../json-pointer.js';
import type { ForkTask } from '../model.js';
import type { TaskRun } from '../task-run.js';
import { setOwn } from '../templates.js';
import { WorkflowError } from '../workflow-error.js';

/** Executes branches concurrently. The output is that of all branches, or of the fastest if they compete. */
export async function fork({ fork: { branches, compete = false } }: ForkTask, run: TaskRun): Promise<TaskResult> {
  const blocks = branches.map((branch, index) => blockOf(Object.keys(branch)[0] ?? '', index, run));
  if (blocks.length === 0) return { output: compete ? run.input : [] };
  const outcome = await run.concurrent(run.step, blocks, { compete, timeoutMs: null });
  switch (outcome.kind) {
    case 'all':
      run.branch.context = mergeContexts(run.branch.context, outcome.results);
      return {
        output: outcome.results.map(({ output }) => output),
        next: outcome.results.some(({ next }) => next === 'end') ? 'end' : undefined,
      };
    case 'won': {
      const { output, context, next } = outcome.result;
      run.branch.context = context;
      return { output, next: next === 'end' ? next : undefined };
    }
    case 'failed':
      throw new WorkflowError(outcome.error);
    case 'timeout':
      throw new Error('an engine ended branches by a timeout that they do not have');
  }
}

function blockOf(name: string, index: number, run: TaskRun): BlockRef {
  const { step } = run;
  const path = ['fork', 'branches', index, name] as const;
  const branch = { ...step, name: pointerTo(step.name, ...path), task: pointerTo(step.task, ...path) };
  return run.block(branch, run.input, false);
}

/** Merges each branch's changes into the context, in the order of the branches. */
function mergeContexts(before: Json, results: readonly BlockResult[]): Json {
  let merged = before;
  for (const { context } of results) {
    if (isDeepStrictEqual(context, before)) continue;
    merged =
      isObject(before) && isObject(merged) && isObject(context) ? mergeChanges(before, merged, context) : context;
  }
  return merged;
}

function mergeChanges(before: JsonObject, merged: JsonObject, changed: JsonObject): JsonObject {
  const result = { ...merged };
  for (const [name, value] of Object.entries(changed))
    if (value !== undefined && !isDeepStrictEqual(value, before[name])) setOwn(result, name, value);
  for (const name of Object.keys(before)) if (!Object.hasOwn(changed, name)) delete result[name];
  return result;
}
