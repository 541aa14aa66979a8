import type { EffectCall, StepRef } from './durable-steps.js';
import type { Evaluation } from './evaluation.js';
import type { Json, JsonObject } from './json.js';
import { isPlain, secretsUsedBy } from './secret-names.js';
import type { TaskRun } from './task-run.js';
import { setOwn } from './templates.js';
import { type SecretPurpose, UsedSecrets } from './used-secrets.js';
import { standardError } from './workflow-error.js';
import type { HttpRequest, HttpResponse, InputNeeded, InputRound, Secret } from './workflow-host.js';

/** Provides secrets to a step, and records their use. */
interface SecretSource {
  /** Evaluates expressions that may use `$secrets`. */
  evaluation: Evaluation;
  /** Returns a secret listed in `use.secrets`. */
  secret: (name: string) => Promise<Json>;
}

/**
 * The tools of a step that may use secrets. All outgoing data passes through here, so that secrets go only to allowed
 * destinations.
 */
export interface SecretEffect {
  /** Provides the secrets that may occur anywhere in a request. */
  sent: SecretSource;
  /** Provides the secrets of the Authorization header, which is dropped when a redirect leads to another origin. */
  authorization: SecretSource;
  /** Sends a request through the host. @throws WorkflowError (authorization) when a secret may not go there */
  request: (request: HttpRequest, idempotencyKey: string) => Promise<HttpResponse>;
  /** Calls a function of the host. @throws WorkflowError (authorization) when a secret may not go there */
  callFunction: (name: string, args: JsonObject, round: InputRound) => Promise<Json | InputNeeded>;
  /** Redacts a text from everything that leaves the step, like a secret. */
  conceal: (text: string) => void;
  /** Redacts the secrets that the step has used so far from bytes. */
  clean: (bytes: Uint8Array) => Uint8Array;
}

/**
 * Runs an effect whose expressions may use secrets. They are evaluated within the step, so that a replay needs no secret, and no
 * record contains one.
 */
export function effectWithSecrets(
  run: TaskRun,
  act: (effect: SecretEffect) => Promise<Json>,
  step: StepRef = run.step,
): Promise<Json> {
  return run.effect(async (call) => {
    const used = new UsedSecrets();
    try {
      return used.removeFrom(await act(effectOf(run, call, used)));
    } catch (error) {
      throw used.removeFromError(error);
    }
  }, step);
}

function effectOf(run: TaskRun, begun: EffectCall, used: UsedSecrets): SecretEffect {
  const { host } = run.execution;
  const call = { ...begun, withoutSecrets: (value: Json) => used.removeFrom(value) };
  return {
    sent: sourceOf(run, call, used, 'sent'),
    authorization: sourceOf(run, call, used, 'authorization'),
    request: async (request, idempotencyKey) => {
      used.assertMayBeIn(request);
      return host.request(request, { ...call, idempotencyKey, assertMayFollow: (next) => used.assertMayBeIn(next) });
    },
    callFunction: async (name, args, round) => {
      used.assertMayGoTo({ function: name });
      return host.callFunction(name, args, call, round);
    },
    conceal: (text) => used.conceal(text),
    clean: (bytes) => used.removeFromBytes(bytes),
  };
}

function sourceOf(run: TaskRun, call: EffectCall, used: UsedSecrets, purpose: SecretPurpose): SecretSource {
  const take = async (name: string): Promise<Secret> => {
    const secret = await secretOf(run, name, call);
    used.add(name, secret, purpose);
    return secret;
  };
  return {
    secret: async (name) => (await take(name)).value,
    evaluation: run.evaluation.with(
      { secrets: (programs) => secretsFor(programs, run, take) },
      // A step is running anyway.
      { busy: (work) => work() },
    ),
  };
}

async function secretOf({ execution: { definition, host } }: TaskRun, name: string, call: EffectCall): Promise<Secret> {
  if (definition.use?.secrets?.includes(name)) return host.secret(name, call);
  throw standardError('authorization', `The workflow does not name the secret ${name} in use.secrets.`);
}

/** Returns the value of `$secrets`: only those that the programs mention, because each of them counts as used. */
async function secretsFor(
  programs: readonly string[],
  run: TaskRun,
  take: (name: string) => Promise<Secret>,
): Promise<Json> {
  const secrets: JsonObject = {};
  for (const name of secretsUsedBy(programs, run.execution.definition.use?.secrets ?? [])) {
    const { value, isLimited } = await take(name);
    if (isLimited && !programs.every(isPlain)) throw mustBePlain(name);
    setOwn(secrets, name, value);
  }
  return secrets;
}

/** Computing with a secret can reveal it bit by bit, through which expressions fail and which succeed. */
const mustBePlain = (name: string) =>
  standardError(
    'authorization',
    `The secret ${name} may go only to some places, so expressions can't compute with it: write $secrets and its member alone, or join it to texts with +.`,
  );
