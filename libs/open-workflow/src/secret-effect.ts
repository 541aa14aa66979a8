import type { EffectCall, StepRef } from './durable-steps.js';
import type { Evaluation } from './evaluation.js';
import type { Json, JsonObject } from './json.js';
import { UsedSecrets } from './secrets.js';
import type { TaskRun } from './task-run.js';
import { setOwn } from './templates.js';
import { standardError } from './workflow-error.js';

/** What a step that may use secrets works with. */
export interface SecretEffect {
  call: EffectCall;
  /** Evaluates expressions that may use `$secrets`. */
  evaluation: Evaluation;
  /** Returns a secret that `use.secrets` names. */
  secret: (name: string) => Promise<Json>;
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
    const secret = async (name: string) => {
      const value = await secretOf(run, name);
      used.add(value);
      return value;
    };
    const evaluation = run.evaluation.with(
      { secrets: () => allSecrets(run, secret) },
      // A step is under way anyway.
      { busy: (work) => work() },
    );
    try {
      const conceal = (text: string) => used.add(text);
      const clean = (bytes: Uint8Array) => used.removeFromBytes(bytes);
      return used.removeFrom(await act({ call, evaluation, secret, conceal, clean }));
    } catch (error) {
      throw used.removeFromError(error);
    }
  }, step);
}

async function secretOf({ execution: { definition, host } }: TaskRun, name: string): Promise<Json> {
  if (definition.use?.secrets?.includes(name)) return host.secret(name);
  throw standardError('authorization', `The workflow does not name the secret ${name} in use.secrets.`);
}

async function allSecrets(run: TaskRun, secret: (name: string) => Promise<Json>): Promise<Json> {
  const secrets: JsonObject = {};
  for (const name of run.execution.definition.use?.secrets ?? []) setOwn(secrets, name, await secret(name));
  return secrets;
}
