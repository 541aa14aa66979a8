import type { EffectCall, StepRef } from './durable-steps.js';
import type { Evaluation } from './evaluation.js';
import type { Json, JsonObject } from './json.js';
import { isPlain, secretsUsedBy } from './secret-names.js';
import type { TaskRun } from './task-run.js';
import { setOwn } from './templates.js';
import { type SecretPurpose, UsedSecrets } from './used-secrets.js';
import { standardError } from './workflow-error.js';
import type { HttpRequest, HttpResponse, InputNeeded, InputRound, Secret } from './workflow-host.js';

/** What gives secrets to a step, and notes that it has. */
interface SecretSource {
  /** Evaluates expressions that may use `$secrets`. */
  evaluation: Evaluation;
  /** Returns a secret that `use.secrets` names. */
  secret: (name: string) => Promise<Json>;
}

/** What a step that may use secrets works with. Whatever it sends goes through here, so that secrets go only where they may. */
export interface SecretEffect {
  /** Gives the secrets that may be anywhere in what is sent. */
  sent: SecretSource;
  /** Gives the secrets of the Authorization header, which stay behind when a redirect leads to another origin. */
  authorization: SecretSource;
  /** Sends a request of the host. @throws WorkflowError (authorization) when a secret may not go there */
  request: (request: HttpRequest, idempotencyKey: string) => Promise<HttpResponse>;
  /** Calls a function of the host. @throws WorkflowError (authorization) when a secret may not go there */
  callFunction: (name: string, args: JsonObject, round: InputRound) => Promise<Json | InputNeeded>;
  /** Has a text removed from all that leaves the step, as secrets are. */
  conceal: (text: string) => void;
  /** Returns bytes without the secrets that the step has used so far. */
  clean: (bytes: Uint8Array) => Uint8Array;
}

/**
 * Does something once in which expressions may use secrets. They are evaluated within the step, so that no secret is
 * needed to continue after a restart, and none is in what is recorded.
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
    sent: sourceOf(run, used, 'sent'),
    authorization: sourceOf(run, used, 'authorization'),
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

function sourceOf(run: TaskRun, used: UsedSecrets, purpose: SecretPurpose): SecretSource {
  const take = async (name: string): Promise<Secret> => {
    const secret = await secretOf(run, name);
    used.add(name, secret, purpose);
    return secret;
  };
  return {
    secret: async (name) => (await take(name)).value,
    evaluation: run.evaluation.with(
      { secrets: (programs) => secretsFor(programs, run, take) },
      // A step is under way anyway.
      { busy: (work) => work() },
    ),
  };
}

async function secretOf({ execution: { definition, host } }: TaskRun, name: string): Promise<Secret> {
  if (definition.use?.secrets?.includes(name)) return host.secret(name);
  throw standardError('authorization', `The workflow does not name the secret ${name} in use.secrets.`);
}

/** Returns the value of `$secrets`: only what the programs name, because that counts as used. */
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

/** Whoever computes with a secret can find it out: step by step, from what fails and what does not. */
const mustBePlain = (name: string) =>
  standardError(
    'authorization',
    `The secret ${name} may go only to some places, so expressions can't compute with it: write $secrets and its member alone, or join it to texts with +.`,
  );
