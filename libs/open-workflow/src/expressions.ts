import type { Json, JsonObject } from './json.js';

/** The variable that holds the value of jq's `now`, in seconds since 1970. */
export const NOW = '__now';

/** Evaluates runtime expressions of the DSL, which are jq programs. */
export interface Expressions {
  /**
   * Evaluates several programs over one input at once, at the cost of one.
   * @param variables by name, without the `$`; see `NOW` for one more
   * @returns one result per program; null for a program without results
   * @throws WorkflowError (expression) when a program fails, has several results, or exceeds a limit
   */
  evaluate(programs: readonly string[], input: Json, variables: JsonObject): Promise<Json[]>;

  /** Returns the syntax error of each program; null = none. @param variables names that programs may use */
  check(programs: readonly string[], variables: readonly string[]): Promise<(string | null)[]>;

  /**
   * Validates data against a JSON Schema outside of the main thread, which large data could block. Without it, all data is
   * validated on the main thread.
   * @returns the errors, with their paths
   * @throws WorkflowError when the schema cannot be used, or a limit is exceeded
   */
  validate?(schema: JsonObject, data: Json): Promise<string[]>;
}
