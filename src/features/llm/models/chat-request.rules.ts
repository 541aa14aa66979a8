import type { JsonObject } from '#skill-kit';

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface ChatRequest {
  messages: readonly ChatMessage[];
  maxTokens: number;
  /** The JSON Schema of the answer; null = plain text. */
  schema: JsonObject | null;
}

/** The parameters that a model supports, where APIs differ. */
export interface ChatDialect {
  /** Reasoning models of OpenAI refuse `max_tokens`, and other APIs do not know its successor. */
  limit: 'max_tokens' | 'max_completion_tokens';
  /** True when streams include the token count on request (`stream_options`). */
  hasUsage: boolean;
  /** True when it supports a JSON Schema (`response_format`). */
  hasSchemas: boolean;
}

export const USUAL_DIALECT: ChatDialect = Object.freeze({ limit: 'max_tokens', hasUsage: true, hasSchemas: true });

/** Returns the body of `POST /chat/completions` (OpenAI API reference, "Create chat completion"). */
export const toBody = (model: string, request: ChatRequest, dialect: ChatDialect): JsonObject => ({
  model,
  messages: messagesOf(request, dialect),
  [dialect.limit]: request.maxTokens,
  stream: true,
  ...(dialect.hasUsage && { stream_options: { include_usage: true } }),
  ...(request.schema !== null &&
    dialect.hasSchemas && {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: request.schema } },
    }),
});

/** Returns the messages to send: with the schema in them when the API supports none. */
const messagesOf = ({ messages, schema }: ChatRequest, { hasSchemas }: ChatDialect): readonly ChatMessage[] =>
  schema === null || hasSchemas
    ? messages
    : [
        {
          role: 'system',
          content: `Answer with JSON only, without a code fence. It must fit this JSON Schema:\n${JSON.stringify(schema)}`,
        },
        ...messages,
      ];

/** Returns the dialect for retrying after a refusal that names a parameter; null = it names none that can be left out. */
export function dialectAfter(dialect: ChatDialect, status: number, reason: string): ChatDialect | null {
  if (status !== 400 && status !== 422) return null;
  if (dialect.limit === 'max_tokens' && reason.includes('max_completion_tokens')) {
    return { ...dialect, limit: 'max_completion_tokens' };
  }
  if (dialect.hasUsage && reason.includes('stream_options')) return { ...dialect, hasUsage: false };
  if (dialect.hasSchemas && (reason.includes('response_format') || reason.includes('json_schema'))) {
    return { ...dialect, hasSchemas: false };
  }
  return null;
}
