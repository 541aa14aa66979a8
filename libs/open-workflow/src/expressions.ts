import type { Json, JsonObject } from './json.js';

/** Evaluates runtime expressions of the DSL, which are jq programs. */
export interface Expressions {
  /**
   * Evaluates several programs over one input at once, which costs what one costs.
   * @param variables by name, without the `$`. `__now` is what the function `now` of jq returns, in seconds since 1970
   * @returns one result per program; null for a program without any
   * @throws WorkflowError (expression) when a program fails, has several results, or exceeds a limit
   */
  evaluate(programs: readonly string[], input: Json, variables: JsonObject): Promise<Json[]>;

  /** Returns what is wrong with the syntax of each program; null = nothing. @param variables names that programs may use */
  check(programs: readonly string[], variables: readonly string[]): Promise<(string | null)[]>;
}
