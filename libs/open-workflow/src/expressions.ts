import type { Json, JsonObject } from './json.js';

/** The variable that holds what the function `now` of jq returns, in seconds since 1970. */
export const NOW = '__now';

/** Evaluates runtime expressions of the DSL, which are jq programs. */
export interface Expressions {
  /**
   * Evaluates several programs over one input at once, which costs what one costs.
   * @param variables by name, without the `$`; see `NOW` for one more
   * @returns one result per program; null for a program without any
   * @throws WorkflowError (expression) when a program fails, has several results, or exceeds a limit
   */
  evaluate(programs: readonly string[], input: Json, variables: JsonObject): Promise<Json[]>;

  /** Returns what is wrong with the syntax of each program; null = nothing. @param variables names that programs may use */
  check(programs: readonly string[], variables: readonly string[]): Promise<(string | null)[]>;

  /**
   * Checks data against a JSON Schema away from the main thread, which large data could hold for long. Whoever lacks it
   * has all data checked on the main thread.
   * @returns what is wrong, with its path
   * @throws WorkflowError when the schema cannot be used, or a limit is exceeded
   */
  validate?(schema: JsonObject, data: Json): Promise<string[]>;
}
