import { EvaluationError } from './values.js';

/** How many character comparisons one pattern may take. */
const MOST_COMPARISONS = 20_000_000;

/** A `like` pattern: texts that must appear in this order, with anything between them. */
export interface Pattern {
  readonly parts: readonly string[];
}

/** @param elements as in the JSON format: `"Wildcard"` or `{ "Literal": "text" }` */
export function toPattern(elements: readonly unknown[]): Pattern {
  const parts = [''];
  for (const element of elements) {
    if (element === 'Wildcard') parts.push('');
    else parts[parts.length - 1] += (element as { Literal: string }).Literal;
  }
  return { parts };
}

/** Returns whether the whole text matches. @throws EvaluationError when the match takes too many comparisons */
export function matches({ parts }: Pattern, text: string): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  const end = text.length - last.length;
  let left = MOST_COMPARISONS;
  for (const part of rest) {
    if ((left -= (end - at) * Math.max(part.length, 1)) < 0) {
      throw new EvaluationError(`a text of ${text.length} characters is too long for this pattern`);
    }
    // The earliest match leaves the most room for the remaining parts.
    const found = part === '' ? at : text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
