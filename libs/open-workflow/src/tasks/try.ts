import { isDeepStrictEqual } from 'node:util';
import { refusedAfter, withoutRefusedKey } from '../http/request-key.js';
import { leastDelayMs } from '../http/retry-after.js';
import type { Evaluation } from '../evaluation.js';
import type { TaskResult } from '../execution.js';
import type { StepRef } from '../durable-steps.js';
import { asJson, type Json } from '../json.js';
import type { RetryPolicy, TryTask, ErrorModel } from '../model.js';
import { retryDelayMs, type RetryRules, rulesOf } from '../retry-policy.js';
import { resultOf, type TaskRun } from '../task-run.js';
import { type Problem, standardError, WorkflowError, STANDARD_ERRORS } from '../workflow-error.js';

/** Executes tasks, retries them according to the policy, and handles the errors that the filter matches. */
export async function tryTasks(task: TryTask, run: TaskRun): Promise<TaskResult> {
  const beganAt = Date.parse(run.branch.at);
  const isRepeated = task.catch.retry !== undefined;
  let step: StepRef = isRepeated ? { ...run.step, refused: run.step.refused ?? {} } : run.step;
  for (let attempt = 1; ; attempt++) {
    try {
      step = { ...step, attempt };
      const suffix = attempt > 1 ? `~${attempt}` : '';
      return resultOf(await run.list('try', task.try, run.input, { step, suffix }));
    } catch (error) {
      const problem = await caught(task, run, error);
      if (!(await triesAgain(task, run, problem, attempt, Date.parse(run.branch.at) - beganAt)))
        return await handle(task, run, problem);
      step = { ...step, refused: refusedAfter(step, problem) };
    }
  }
}

/** Returns the problem of a caught error. @throws the error itself when this task does not catch it */
async function caught({ catch: clause }: TryTask, run: TaskRun, error: unknown): Promise<Problem> {
  if (!(error instanceof WorkflowError) || run.execution.budget.isExceeded) throw error;
  const { problem } = error;
  if (!matchesError(clause.errors?.with, problem)) throw error;
  if (!(await applies(clause, evaluationOf(clause.as, run, problem), run.input))) throw error;
  return problem;
}

async function triesAgain(
  { catch: { retry, as } }: TryTask,
  run: TaskRun,
  problem: Problem,
  attempt: number,
  elapsedMs: number,
): Promise<boolean> {
  if (retry === undefined) return false;
  const policy = typeof retry === 'string' ? run.execution.definition.use?.retries?.[retry] : retry;
  if (policy === undefined)
    throw standardError('configuration', `There is no retry policy ${retry as string} in use.retries.`);
  // Tasks that name the error differently may share a policy.
  const evaluation = evaluationOf(typeof retry === 'string' ? undefined : as, run, problem);
  if (!(await applies(policy, evaluation, run.input))) return false;
  const rules = await evaluated(policy, evaluation, run.input);
  const delayMs = retryDelayMs(rules, { attempt, elapsedMs, leastMs: leastDelayMs(problem) });
  if (delayMs === null) return false;
  await run.countRound();
  const { from, to } = rules.jitterMs;
  if (delayMs > 0 || to > 0)
    await run.sleep(`/retry~${attempt + 1}`, () => delayMs + from + Math.round(Math.random() * Math.max(0, to - from)));
  return true;
}

async function handle({ catch: clause }: TryTask, run: TaskRun, problem: Problem): Promise<TaskResult> {
  // A policy that has given up has not handled the error.
  if (clause.retry !== undefined && clause.do === undefined && clause.then === undefined)
    throw new WorkflowError(problem);
  if (clause.do === undefined) return { output: run.input, next: clause.then };
  const variables = run.variablesWith({ [clause.as ?? 'error']: withoutRefusedKey(problem) });
  const result = resultOf(await run.list('catch/do', clause.do, run.input, { variables }));
  return { output: result.output, next: result.next ?? clause.then };
}

/** Evaluates the expressions of a policy, except its conditions. */
async function evaluated(policy: RetryPolicy, evaluation: Evaluation, data: Json): Promise<RetryRules> {
  const { delay, backoff, limit, jitter } = policy;
  const given = JSON.parse(JSON.stringify({ delay, backoff, limit, jitter })) as Json;
  return rulesOf((await evaluation.template(given, data)) as RetryPolicy);
}

async function applies(
  { when, exceptWhen }: { when?: string; exceptWhen?: string },
  evaluation: Evaluation,
  data: Json,
): Promise<boolean> {
  if (when !== undefined && !(await evaluation.isTrue(when, data))) return false;
  return exceptWhen === undefined || !(await evaluation.isTrue(exceptWhen, data));
}

const evaluationOf = (as = 'error', run: TaskRun, problem: Problem): Evaluation =>
  run.evaluation.with({ [as]: () => asJson(withoutRefusedKey(problem)) });

/** The prefixes of standard error types in the versions of the DSL. */
const PREFIXES = ['https://open-workflow-specification.org', 'https://serverlessworkflow.io'].flatMap((host) => [
  `${host}/spec/1.0.0/errors/`,
  `${host}/dsl/errors/types/`,
]);

/** Returns whether an error matches a filter. All spellings of a standard type are equal. */
function matchesError(filter: Partial<ErrorModel> | undefined, problem: Problem): boolean {
  return Object.entries(filter ?? {}).every(([name, expected]) => {
    const actual = problem[name];
    if (name === 'type') return canonicalType(String(expected)) === canonicalType(problem.type);
    if (name === 'status') return Number(expected) === problem.status;
    return isDeepStrictEqual(expected, actual);
  });
}

function canonicalType(type: string): string {
  const prefix = PREFIXES.find((one) => type.startsWith(one));
  return prefix === undefined ? type : STANDARD_ERRORS + type.slice(prefix.length);
}
