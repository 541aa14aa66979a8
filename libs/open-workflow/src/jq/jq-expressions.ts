import { mayTakeLong } from '#json-schema';
import { type Expressions, NOW } from '../expressions.js';
import type { Json, JsonObject } from '../json.js';
import { DEEPEST, isLonger } from './json-length.js';
import { mistakesOf } from '../schema-validation.js';
import { standardError, type WorkflowError } from '../workflow-error.js';
import { evaluateFast, returnsPart } from './fast-path.js';
import { type Answer, ExpressionThreads, type Job } from './expression-threads.js';

export interface JqOptions {
  threads?: number;
  /** CPU time for all programs of one evaluation. */
  timeLimitMs?: number;
  /** Limit for data and for results, in characters of JSON. */
  maxCharacters?: number;
}

/**
 * Evaluates jq and validates data in threads, within time, memory and size limits. Programs in the most common subset of jq are
 * evaluated without jq.
 */
export class JqExpressions implements Expressions {
  private readonly threads: ExpressionThreads;
  private isClosed = false;
  private readonly timeLimitMs: number;
  private readonly maxCharacters: number;

  constructor({ threads = 2, timeLimitMs = 500, maxCharacters = 1_000_000 }: JqOptions = {}) {
    this.timeLimitMs = timeLimitMs;
    this.maxCharacters = maxCharacters;
    this.threads = new ExpressionThreads(threads, timeLimitMs);
  }

  async evaluate(programs: readonly string[], input: Json, variables: JsonObject): Promise<Json[]> {
    const results = programs.map((program) => this.evaluateHere(program, input, variables));
    const others = programs.filter((_, index) => results[index] === undefined);
    if (others.length === 0) return results as Json[];
    const evaluated = await this.evaluateWithJq(others, input, variables);
    return results.map((result) => (result === undefined ? (evaluated.shift() ?? null) : result));
  }

  async check(programs: readonly string[], variables: readonly string[]): Promise<(string | null)[]> {
    if (programs.length === 0) return [];
    const answer = await this.run({ kind: 'jq', program: compileOnly(programs, variables), input: NO_INPUT });
    if (answer.kind === 'done') return programs.map(() => null);
    if (programs.length === 1) return [mistakeOf(this.reasonOf(answer))];
    // Few of many are wrong, so bisecting is faster than checking one by one.
    const half = Math.ceil(programs.length / 2);
    const first = await this.check(programs.slice(0, half), variables);
    return [...first, ...(await this.check(programs.slice(half), variables))];
  }

  async validate(schema: JsonObject, data: Json): Promise<string[]> {
    if (!isLonger(data, SMALL_DATA) && !isSlow(schema)) return mistakesOf(schema, data);
    if (isLonger(data, MAX_VALIDATED))
      throw standardError(
        'validation',
        `The data is larger than ${MAX_VALIDATED} characters of JSON, which is too much.`,
      );
    const text = JSON.stringify(data);
    const answer = await this.run({ kind: 'validate', schema: JSON.stringify(schema), data: text });
    if (answer.kind === 'done') return JSON.parse(answer.text) as string[];
    throw standardError('validation', `The data could not be checked against its schema: ${this.reasonOf(answer)}.`);
  }

  /** Ends the threads. Pending and later evaluations never settle, so that no run fails because of it. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.threads.close();
  }

  /** Returns undefined when only jq can tell the result, or that there is none. */
  private evaluateHere(program: string, input: Json, variables: JsonObject): Json | undefined {
    const result = evaluateFast(program, input, variables);
    const isTooLong = result !== undefined && !returnsPart(program) && isLonger(result, this.maxCharacters);
    return isTooLong ? undefined : result;
  }

  private async evaluateWithJq(programs: readonly string[], input: Json, variables: JsonObject): Promise<Json[]> {
    // Checked first, because serialising far too much data would take long.
    const text = isLonger([input, variables], this.maxCharacters) ? null : inputOf(input, variables);
    if (text === null || text.length > this.maxCharacters)
      throw failed(programs, `its data is larger than ${this.maxCharacters} characters of JSON`);
    const answer = await this.run({ kind: 'jq', program: combine(programs, Object.keys(variables)), input: text });
    if (answer.kind === 'done' && answer.text.length <= this.maxCharacters)
      return parseResults(answer.text).map((results, index) => this.onlyResult(programs[index] ?? '', results));
    // Evaluating each alone reveals which one failed.
    if (programs.length > 1 && answer.kind === 'failed')
      for (const program of programs) await this.evaluateWithJq([program], input, variables);
    throw failed(programs, this.reasonOf(answer));
  }

  private onlyResult(program: string, results: Json[]): Json {
    const [result = null, ...others] = results;
    if (others.length > 0)
      throw failed([program], 'it has several results; put it in brackets to make an array of them');
    if (isLonger(result, this.maxCharacters))
      throw failed([program], `its result is nested deeper than ${DEEPEST} levels`);
    return result;
  }

  private async run(job: Job): Promise<Answer> {
    try {
      const answer = await this.threads.run(job);
      return this.isClosed ? await never() : answer;
    } catch (error) {
      if (!this.isClosed) throw error;
      return never();
    }
  }

  private reasonOf(answer: Answer): string {
    switch (answer.kind) {
      case 'done':
        return `its result is larger than ${this.maxCharacters} characters of JSON`;
      case 'failed':
        return messageOf(answer.reason);
      case 'crashed':
        return 'it needs too much memory';
      case 'timeout':
        return `it takes longer than ${this.timeLimitMs} ms`;
    }
  }
}

const never = (): Promise<never> => new Promise(() => undefined);

const slow = new WeakMap<JsonObject, boolean>();

/** Returns whether validation by a schema may be slow even for small data; cached per schema. */
function isSlow(schema: JsonObject): boolean {
  const known = slow.get(schema);
  if (known !== undefined) return known;
  const found = mayTakeLong(schema);
  slow.set(schema, found);
  return found;
}

/** Maximum size of data validated on the main thread, in characters of JSON. */
const SMALL_DATA = 8000;
const MAX_VALIDATED = 6_000_000;
const NO_INPUT = inputOf(null, {});

/** Parses jq's output. Numbers too large for JavaScript become null, as in JSON. */
function parseResults(stdout: string): Json[][] {
  const results = JSON.parse(stdout) as Json[][];
  return /\dE\+?\d{3}/i.test(stdout) ? (JSON.parse(JSON.stringify(results)) as Json[][]) : results;
}

function failed(programs: readonly string[], reason: string): WorkflowError {
  const shown = programs.map((program) => `\${ ${shorten(program.trim(), 200)} }`).join(', ');
  return standardError('expression', `The expression ${shown} failed: ${reason}.`);
}

/** Turns jq's stderr into a sentence, without the parts about its command line. */
function messageOf(stderr: string): string {
  const [first = ''] = stderr.split('\n');
  const message = first
    .replace(/^jq: error(?: \(at [^)]*\))?:? ?/, '')
    .replace(/ at <top-level>, line (\d+), column (\d+):?$/, (_, line: string, column: string) => {
      return ` at line ${Number(line) - LINES_BEFORE}, column ${column}`;
    });
  return shorten(message.replace(/\.$/, ''), 1000) || 'it ended without a result';
}

const shorten = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}...` : text);

/**
 * Combines several programs into one that evaluates each over the same input, and returns an array with the results of each, at
 * most two per program.
 */
function combine(programs: readonly string[], variables: readonly string[]): string {
  return `${prelude(variables)}[${programs.map((program) => `[limit(2; (\n${program}\n))]`).join(',')}]`;
}

/**
 * Builds a program that does nothing, but fails to compile when one of the programs has a syntax error. A text such as `1) + (2`
 * fits between parentheses, but not between brackets as well.
 */
function compileOnly(programs: readonly string[], variables: readonly string[]): string {
  const parts = programs.map((program) => `(\n${program}\n),[\n${program}\n]`);
  return `${prelude(variables)}def input: $${NO_INPUT_FUNCTION}; empty | (${parts.join(',')})`;
}

/** jq compiles only functions that are called, so this unknown variable is an error only in programs that call `input`. */
const NO_INPUT_FUNCTION = '__no_input';

const mistakeOf = (reason: string): string =>
  reason.startsWith(`$${NO_INPUT_FUNCTION} `)
    ? 'the function input of jq is not available in workflows: write "." for the input of the task, and $workflow.input for that of the workflow'
    : reason;

/** Returns the input of a combined program as JSON. */
function inputOf(input: Json, variables: JsonObject): string {
  return JSON.stringify({ i: input, v: variables });
}

/** Number of lines in a combined program before the first of its programs. */
const LINES_BEFORE = 1;

/** Binds the variables, and replaces functions that are not deterministic or would end jq. */
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
