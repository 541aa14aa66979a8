import type { CloudEvent, EffectCall, Question } from './durable-steps.js';
import type { Json, JsonObject } from './json.js';

/** The environment of a workflow. Each method is called within a step; what it throws becomes the error of the step. */
export interface WorkflowHost {
  /**
   * Calls a function that the definition does not define itself: here, a skill.
   * @param round the answers to the previous call's questions, and the state that it left; both empty at first
   * @returns the result, or an `InputNeeded`
   */
  callFunction(name: string, args: JsonObject, call: EffectCall, round: InputRound): Promise<Json | InputNeeded>;
  /** Sends an HTTP request. Status codes are not errors here. */
  request(request: HttpRequest, call: RequestCall): Promise<HttpResponse>;
  emit(event: CloudEvent, call: EffectCall): Promise<void>;
  /** Returns a secret listed in `use.secrets`. Its value must not leave the step. @throws WorkflowError */
  secret(name: string, call: EffectCall): Promise<Secret>;
}

export interface Secret {
  value: Json;
  /** True when some destinations are forbidden. Expressions can't compute with such a secret. */
  isLimited: boolean;
  /** Returns why the secret may not go there, and what to do, as a sentence for people; null = it may. */
  refusalOf: (destination: Destination) => string | null;
}

/** The destination of a step's data: the server of a URL, or a function of the host. */
export type Destination = { url: URL } | { function: string };

/** A step that sends a request. All attempts of a `try` share its idempotency key, until the request is permanently refused. */
export interface RequestCall extends EffectCall {
  /**
   * Call it before following a redirect, with the next request, which has no Authorization header if the origin differs.
   * @throws WorkflowError (authorization) when secrets of the request may not go there
   */
  assertMayFollow: (next: Pick<HttpRequest, 'url' | 'headers'>) => void;
}

/** Signals that a function needs answers from people. It is called again when all are there. */
export interface InputNeeded extends JsonObject {
  $inputNeeded: { questions: Record<string, Question>; state: Json };
}

export interface InputRound {
  /** The answers by key of the question: the data of `ANSWER_EVENT` events. */
  answers: JsonObject;
  state: Json;
}

export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Null = none. */
  body: string | null;
  followRedirects: boolean;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}
