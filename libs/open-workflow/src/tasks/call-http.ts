import { requestOf } from '../http/http-request.js';
import { outputOf, placeOf } from '../http/http-response.js';
import type { Json } from '../json.js';
import type { CallTask } from '../model.js';
import { effectWithSecrets } from '../secret-effect.js';
import type { TaskRun } from '../task-run.js';
import { standardError, WorkflowError } from '../workflow-error.js';
import type { HttpRequest, HttpResponse } from '../workflow-host.js';
import type { EffectCall } from '../durable-steps.js';

/** Sends an HTTP request, and returns what `with.output` asks for of its response. */
export function callHttp({ with: args = {} }: CallTask, run: TaskRun): Promise<Json> {
  return effectWithSecrets(run, async (effect) => {
    const request = await requestOf(args, run, effect);
    const response = await send(request, run, effect.call);
    // Before anything is made of it: a text that is shortened or encoded may hold a part of a secret.
    return outputOf(args.output, request, { ...response, body: effect.clean(response.body) });
  });
}

async function send(request: HttpRequest, run: TaskRun, call: EffectCall): Promise<HttpResponse> {
  try {
    return await run.execution.host.request(request, call);
  } catch (error) {
    if (error instanceof WorkflowError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw standardError('communication', `${request.method} ${placeOf(request.url)} failed: ${reason}`);
  }
}
