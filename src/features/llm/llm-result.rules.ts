import { failure, type JsonObject, result, type SkillResult, text } from '#skill-kit';
import { type Tokens, totalOf } from './models/tokens.rules.js';
import { LlmError } from './models/llm.errors.js';

export const usageOf = (model: string, tokens: Tokens) => ({ model, tokens: { ...tokens, total: totalOf(tokens) } });

/** Returns a result whose first block is the plain text of a model, not escaped within JSON. */
export const toTextResult = (answer: string, more: JsonObject): SkillResult => ({
  ...result(text(answer), text(JSON.stringify(more))),
  structuredContent: { text: answer, ...more },
});

/**
 * Returns an error of a model as a result: thrown errors would be logged, and may quote a prompt.
 * @throws the error, when it is not from a model
 */
export function toFailure(error: unknown): SkillResult {
  if (error instanceof LlmError) return failure(error.message);
  throw error;
}
