import type { Json, JsonObject } from '../json.js';
import { SimpleEvaluation } from './simple-evaluation.js';
import { NotSimple, type Simple, simpleProgram } from './simple-program.js';

/**
 * Evaluates programs in the most common subset of jq (paths, literals, string interpolation, arrays, objects, operators, `if`,
 * and functions such as `map`, `select` and `length`), exactly as jq does. Returns undefined for all other programs, when jq
 * would fail or yield none or several results, and when it would take long.
 */
export function evaluateFast(program: string, input: Json, variables: JsonObject): Json | undefined {
  const simple = simpleOf(program);
  if (simple === null) return undefined;
  try {
    const results = new SimpleEvaluation(variables).evaluate(simple, input);
    return results.length === 1 ? results[0] : undefined;
  } catch (error) {
    if (error instanceof NotSimple) return undefined;
    throw error;
  }
}

/** Returns whether the result of a program is a part of its data, and so no longer than the data. */
export function returnsPart(program: string): boolean {
  const simple = simpleOf(program);
  return simple !== null && isPath(simple);
}

const isPath = (simple: Simple): boolean =>
  simple.kind === 'input' || simple.kind === 'variable' || (simple.kind === 'index' && isPath(simple.of));

/** Programs come from definitions, so there are few different ones; still, the cache is bounded. */
const known = new Map<string, Simple | null>();
const MAX_KNOWN = 5000;

function simpleOf(program: string): Simple | null {
  let simple = known.get(program);
  if (simple === undefined) {
    simple = simpleProgram(program);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(program, simple);
  }
  return simple;
}
