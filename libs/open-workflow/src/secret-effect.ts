import type { EffectCall, StepRef } from './durable-steps.js';
import type { Evaluation } from './evaluation.js';
import type { Json, JsonObject } from './json.js';
import type { TaskRun } from './task-run.js';
import { setOwn, replaceTexts, textsOf } from './templates.js';
import { standardError, type Problem, problemOf, STANDARD_ERRORS, WorkflowError } from './workflow-error.js';

/** Shorter texts are no secrets, and would be found everywhere. */
const MIN_LENGTH = 4;
const REDACTED = '[redacted]';

/** Remembers the secrets that a step has used, and removes them from what leaves it. */
class UsedSecrets {
  /** The longest first: one secret may be a part of another. */
  private texts: readonly string[] = [];

  /** Remembers all texts of a value, in each form in which they may appear. */
  add(value: Json): void {
    const texts = new Set(this.texts);
    for (const text of textsOf(value)) {
      if (text.length < MIN_LENGTH) continue;
      const base64 = Buffer.from(text).toString('base64');
      const json = JSON.stringify(text).slice(1, -1);
      for (const form of [text, encodeURIComponent(text.toWellFormed()), json, base64, base64.replace(/=+$/, '')])
        texts.add(form);
    }
    this.texts = [...texts].sort((one, other) => other.length - one.length);
  }

  removeFrom(value: Json): Json {
    return this.texts.length === 0 ? value : replaceTexts(value, (text) => replaceAll(text, this.texts));
  }

  removeFromBytes(bytes: Uint8Array): Uint8Array {
    if (this.texts.length === 0) return bytes;
    const text = Buffer.from(bytes).toString('latin1');
    return Buffer.from(replaceAll(text, this.texts.map(asLatin1)), 'latin1');
  }

  removeFromError(error: unknown): unknown {
    if (this.texts.length === 0) return error;
    const problem = problemOf(error);
    // jq shortens the values that it shows, so what it says may hold the beginning of a secret.
    if (problem.type === `${STANDARD_ERRORS}expression`)
      return standardError('expression', 'An expression of a step that uses secrets failed.');
    return new WorkflowError(this.removeFrom(problem) as Problem);
  }
}

const replaceAll = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((clean, secret) => clean.replaceAll(secret, REDACTED), text);

/** Returns the text whose characters are the bytes of a text in UTF-8. */
const asLatin1 = (text: string): string => Buffer.from(text).toString('latin1');

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
      const withoutSecrets = (value: Json) => used.removeFrom(value);
      return used.removeFrom(await act({ call: { ...call, withoutSecrets }, evaluation, secret, conceal, clean }));
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
