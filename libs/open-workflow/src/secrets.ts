import type { Json } from './json.js';
import { replaceTexts, textsOf } from './templates.js';
import { type Problem, problemOf, STANDARD_ERRORS, standardError, WorkflowError } from './workflow-error.js';

/** Shorter texts are no secrets, and would be found everywhere. */
const MIN_LENGTH = 4;
const REDACTED = '[redacted]';

/** Remembers the secrets that a step has used, and removes them from what leaves it. */
export class UsedSecrets {
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
