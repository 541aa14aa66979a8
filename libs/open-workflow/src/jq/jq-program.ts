import { NOW } from '../expressions.js';
import type { Json, JsonObject } from '../json.js';

/**
 * Makes of several programs one that evaluates each over the same input, and returns an array with an array of the
 * results of each, at most two.
 */
export function combine(programs: readonly string[], variables: readonly string[]): string {
  return `${prelude(variables)}[${programs.map((program) => `[limit(2; (\n${program}\n))]`).join(',')}]`;
}

/**
 * Makes a program that fails to compile when one of the programs has a mistake. It does nothing. A text such as
 * `1) + (2` fits between parentheses, but not between brackets as well.
 */
export function compileOnly(programs: readonly string[], variables: readonly string[]): string {
  const parts = programs.map((program) => `(\n${program}\n),[\n${program}\n]`);
  return `${prelude(variables)}empty | (${parts.join(',')})`;
}

/** Returns the input of a combined program as JSON. */
export function inputOf(input: Json, variables: JsonObject): string {
  return JSON.stringify({ i: input, v: variables });
}

/** How many lines a combined program has before the first of its programs. */
export const LINES_BEFORE = 1;

/** Binds the variables, and replaces what would give each execution another result or would end jq. */
function prelude(variables: readonly string[]): string {
  const bindings = variables.map((name) => `.v.${name} as $${name} | `).join('');
  return `${bindings}{} as $ENV | (.v.${NOW} // 0) as $${NOW} | .i | ${HARMLESS} `;
}

const HARMLESS = [
  `def now: $${NOW};`,
  'def env: {};',
  'def localtime: gmtime;',
  'def strflocaltime(f): strftime(f);',
  'def debug: .;',
  'def debug(m): .;',
  'def stderr: .;',
  'def input: error("input is not available in workflows");',
  'def inputs: empty;',
  'def input_filename: null;',
  'def input_line_number: 0;',
  'def get_search_list: [];',
  'def halt: error("halt is not available in workflows");',
  'def halt_error: halt;',
  'def halt_error(code): halt;',
].join(' ');
