import { failure, type SkillResult } from '#skill-kit';
import { type Tokens, totalOf } from './budget/tokens.rules.js';
import { LlmError } from './llm.errors.js';

/** Returns what is said of a call beside its answer. */
export const usageOf = (model: string, tokens: Tokens) => ({ model, tokens: { ...tokens, total: totalOf(tokens) } });

/**
 * Returns why there is no answer, as a result: what is thrown would be logged, and may quote a prompt.
 * @throws the error, when it is not one of a model
 */
export function toFailure(error: unknown): SkillResult {
  if (error instanceof LlmError) return failure(error.message);
  throw error;
}
