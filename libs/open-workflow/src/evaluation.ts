import { type Expressions, NOW } from './expressions.js';
import type { Json, JsonObject } from './json.js';
import type { SchemaModel } from './model.js';
import { DEEPEST, isLonger } from './jq/json-length.js';
import { mistakesOf } from './schema-validation.js';
import { enclosedProgram, programOf, replaceTexts, setOwn, textsOf, variablesIn } from './templates.js';
import { standardError, WorkflowError } from './workflow-error.js';

/** The variables of expressions, by name; each value is computed only when one of the programs mentions it. */
export type Scope = Record<string, (programs: readonly string[]) => Json | Promise<Json>>;

export interface EvaluationOptions {
  expressions: Expressions;
  scope: Scope;
  /** True when texts without `${ }` are evaluated, too, and stay unchanged when that fails. */
  isLoose: boolean;
  /** Value of jq's `now`, ISO 8601. */
  now: () => string;
  /** Awaits an evaluation. */
  busy: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Evaluates the runtime expressions of one task, and validates its data. */
export class Evaluation {
  constructor(private readonly options: EvaluationOptions) {}

  with(scope: Scope, options: Partial<EvaluationOptions> = {}): Evaluation {
    return new Evaluation({ ...this.options, ...options, scope: { ...this.options.scope, ...scope } });
  }

  /** Evaluates an expression; the enclosing `${ }` is optional. */
  async value(expression: string, data: Json): Promise<Json> {
    const [value = null] = await this.all([programOf(expression)], data);
    return value;
  }

  /** Returns whether an expression is truthy in jq: anything but false and null. */
  async isTrue(expression: string, data: Json): Promise<boolean> {
    const value = await this.value(expression, data);
    return value !== false && value !== null;
  }

  /** Evaluates several programs at once. */
  async all(programs: readonly string[], data: Json): Promise<Json[]> {
    if (programs.length === 0) return [];
    const variables: JsonObject = {};
    for (const name of new Set(programs.flatMap(variablesIn))) {
      const value = Object.hasOwn(this.options.scope, name) ? this.options.scope[name] : undefined;
      if (value) setOwn(variables, name, await value(programs));
    }
    if (programs.some((program) => program.includes('now'))) variables[NOW] = Date.parse(this.options.now()) / 1000;
    return this.options.busy(() => this.options.expressions.evaluate(programs, data, variables));
  }

  /** Returns a value with each expression in it replaced by its result. */
  async template(value: Json, data: Json): Promise<Json> {
    if (this.options.isLoose) return this.looseTemplate(value, data);
    const programs = textsOf(value)
      .map(enclosedProgram)
      .filter((program) => program !== undefined);
    if (programs.length === 0) return value;
    const results = await this.all(programs, data);
    return bounded(
      replaceTexts(value, (text) => (enclosedProgram(text) === undefined ? text : (results.shift() ?? null))),
    );
  }

  /** Evaluates the value of a property such as `input.from`: an expression, or a value with expressions in it. */
  async transform(value: Json, data: Json): Promise<Json> {
    return typeof value === 'string' ? this.value(value, data) : this.template(value, data);
  }

  /** Validates data against a schema. @param what names the data in the message @throws WorkflowError (validation) */
  async check(schema: SchemaModel | undefined, data: Json, what: string): Promise<void> {
    if (schema === undefined) return;
    const { document } = schema;
    const { expressions, busy } = this.options;
    const mistakes = await busy(async () => expressions.validate?.(document, data) ?? mistakesOf(document, data));
    if (mistakes.length > 0)
      throw standardError('validation', `The ${what} does not fit its schema: ${mistakes.join('; ')}.`);
  }

  private async looseTemplate(value: Json, data: Json): Promise<Json> {
    const results: Json[] = [];
    for (const text of textsOf(value)) results.push(await this.looseValue(text, data));
    return bounded(replaceTexts(value, () => results.shift() ?? null));
  }

  private async looseValue(text: string, data: Json): Promise<Json> {
    const program = enclosedProgram(text);
    if (program !== undefined) return this.value(program, data);
    try {
      return await this.value(text, data);
    } catch (error) {
      if (error instanceof WorkflowError) return text;
      throw error;
    }
  }
}

const MOST_CHARACTERS = 1_000_000;

/** A combination of results may be far larger than each of them. @throws WorkflowError when it is too large */
function bounded(value: Json): Json {
  if (!isLonger(value, MOST_CHARACTERS)) return value;
  const detail = `The data is larger than ${MOST_CHARACTERS} characters of JSON, or nested deeper than ${DEEPEST} levels.`;
  throw standardError('expression', detail);
}
