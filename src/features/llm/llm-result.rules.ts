import { failure, type JsonObject, result, type SkillResult, text } from '#skill-kit';
import { type Tokens, totalOf } from './models/tokens.rules.js';
import { LlmError } from './models/llm.errors.js';

/** Returns what is said of a call beside its answer. */
export const usageOf = (model: string, tokens: Tokens) => ({ model, tokens: { ...tokens, total: totalOf(tokens) } });

/** Returns a result whose first block is the text of a model as it is, and not escaped within JSON. */
export const toTextResult = (answer: string, more: JsonObject): SkillResult => ({
  ...result(text(answer), text(JSON.stringify(more))),
  structuredContent: { text: answer, ...more },
});

/**
 * Returns why there is no answer, as a result: what is thrown would be logged, and may quote a prompt.
 * @throws the error, when it is not one of a model
 */
export function toFailure(error: unknown): SkillResult {
  if (error instanceof LlmError) return failure(error.message);
  throw error;
}
