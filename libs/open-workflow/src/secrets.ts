import type { Json } from './json.js';
import { replaceTexts } from './templates.js';
import { type Problem, problemOf, WorkflowError } from './workflow-error.js';

/** Shorter texts are no secrets, and would be found everywhere. */
const MIN_LENGTH = 4;
const REDACTED = '[redacted]';

/** Remembers the secrets that a step has used, and removes them from what leaves it. */
export class UsedSecrets {
  private readonly texts = new Set<string>();

  /** Remembers all texts of a value, in each form in which they may appear. */
  add(value: Json): void {
    replaceTexts(value, (text) => {
      if (text.length < MIN_LENGTH) return text;
      const base64 = Buffer.from(text).toString('base64');
      const forms = [
        text,
        encodeURIComponent(text),
        JSON.stringify(text).slice(1, -1),
        base64,
        base64.replace(/=+$/, ''),
      ];
      for (const form of forms) this.texts.add(form);
      return text;
    });
  }

  removeFrom(value: Json): Json {
    return this.texts.size === 0 ? value : replaceTexts(value, (text) => this.removeFromText(text));
  }

  removeFromError(error: unknown): unknown {
    return this.texts.size === 0 ? error : new WorkflowError(this.removeFrom(problemOf(error)) as Problem);
  }

  private removeFromText(text: string): string {
    let clean = text;
    // The longest first: one secret may be a part of another.
    for (const secret of [...this.texts].sort((one, other) => other.length - one.length))
      clean = clean.replaceAll(secret, REDACTED);
    return clean;
  }
}
