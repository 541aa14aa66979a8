import type { TaskResult } from '../execution.js';
import { asJson, type Json, type JsonObject } from '../json.js';
import type { CallTask } from '../model.js';
import type { TaskRun } from '../task-run.js';
import { callInRounds } from '../function-rounds.js';
import { effectWithSecrets, type SecretEffect } from '../secret-effect.js';
import { requestOf } from '../http/http-request.js';
import { outputOf, placeOf } from '../http/http-response.js';
import { type Problem, standardError, WorkflowError } from '../workflow-error.js';
import type { HttpRequest, HttpResponse } from '../workflow-host.js';

/** Calls HTTP, a function of the workflow, or a function of the host. */
export async function call(task: CallTask, run: TaskRun): Promise<TaskResult> {
  if (task.call === 'http') return { output: await callHttp(task, run) };
  const functions = run.execution.definition.use?.functions;
  const defined = functions && Object.hasOwn(functions, task.call) ? functions[task.call] : undefined;
  if (defined === undefined) return { output: await callHostFunction(task, run) };
  const args = task.with === undefined ? run.input : await run.evaluation.template(asJson(task.with), run.input);
  const { output, next } = await run.function(task.call, defined, args);
  return next === 'end' ? { output, next } : { output };
}

/** Calls a function of the host, as often as it needs answers of people to continue. */
function callHostFunction(task: CallTask, run: TaskRun): Promise<Json> {
  return callInRounds(run.step, {
    call: (step, round) =>
      effectWithSecrets(
        run,
        async ({ sent, callFunction }) => {
          const args = (await sent.evaluation.template(task.with ?? {}, run.input)) as JsonObject;
          return callFunction(task.call, args, round);
        },
        step,
      ),
    ask: (step, wait) => run.waitEvent(step, wait),
  });
}

/**
 * Sends an HTTP request, and returns what `with.output` asks for of its response. All attempts have the same idempotency key,
 * until one is definitely refused: what comes then is another request.
 */
async function callHttp({ with: args = {} }: CallTask, run: TaskRun): Promise<Json> {
  const { refusals } = run.execution;
  const identity = run.step.identity ?? run.step.name;
  const refused = refusals.get(identity) ?? 0;
  const key = `${run.branch.steps.run.id}:${identity}${refused === 0 ? '' : `!${refused + 1}`}`;
  try {
    return await effectWithSecrets(run, async (effect) => {
      const { request, shown } = await requestOf(args, run, effect);
      const response = await send({ request, shown, key }, effect);
      // Before anything is made of it: a text that is shortened or encoded may hold a part of a secret.
      return outputOf(args.output, { request, shown }, { ...response, body: effect.clean(response.body) });
    });
  } catch (error) {
    if (error instanceof WorkflowError && isRefusal(error.problem)) refusals.set(identity, refused + 1);
    throw error;
  }
}

/** Statuses of the client's side that may pass: Request Timeout, Conflict, Too Early, Too Many Requests (RFC 9110, 8470, 6585). */
const PASSING = new Set([408, 409, 425, 429]);

const isRefusal = ({ status }: Problem): boolean => status >= 400 && status < 500 && !PASSING.has(status);

async function send(
  { request, shown, key }: { request: HttpRequest; shown: string; key: string },
  effect: SecretEffect,
): Promise<HttpResponse> {
  try {
    return await effect.request(request, key);
  } catch (error) {
    if (error instanceof WorkflowError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw standardError('communication', `${request.method} ${placeOf(shown)} failed: ${reason}`);
  }
}
