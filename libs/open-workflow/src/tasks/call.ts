import type { TaskResult } from '../execution.js';
import { asJson, type Json, type JsonObject } from '../json.js';
import type { CallTask } from '../model.js';
import type { TaskRun } from '../task-run.js';
import { callInRounds } from '../function-rounds.js';
import { effectWithSecrets, type SecretEffect } from '../secret-effect.js';
import { requestOf } from '../http/http-request.js';
import { failureOf, outputOf, placeOf } from '../http/http-response.js';
import { requestKeyOf, withRefusedKey } from '../http/request-key.js';
import { standardError, WorkflowError } from '../workflow-error.js';
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

/** Calls a function of the host, again after each round of people's answers. */
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

/** Sends an HTTP request, and returns the part of the response that `with.output` selects. */
function callHttp({ with: args = {} }: CallTask, run: TaskRun): Promise<Json> {
  return effectWithSecrets(run, async (effect) => {
    const { request, shown } = await requestOf(args, run, effect);
    const idempotencyKey = requestKeyOf(run);
    const answered = await send(request, shown, { effect, idempotencyKey });
    // Redact first: a shortened or encoded text may contain a part of a secret.
    const response = { ...answered, body: effect.clean(answered.body) };
    const failure = failureOf({ request, shown }, response, run.branch.at);
    if (failure) throw run.step.refused ? withRefusedKey(failure, idempotencyKey) : failure;
    return outputOf(args.output, { request, shown }, response);
  });
}

async function send(
  request: HttpRequest,
  shown: string,
  { effect, idempotencyKey }: { effect: SecretEffect; idempotencyKey: string },
): Promise<HttpResponse> {
  try {
    return await effect.request(request, idempotencyKey);
  } catch (error) {
    if (error instanceof WorkflowError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw standardError('communication', `${request.method} ${placeOf(shown)} failed: ${reason}`);
  }
}
