/** Tokens used by language models, or reserved for pending requests. */
export interface LlmUsageTable {
  month: string; // 2026-07, in UTC
  principal: string; // a client, as an owner; * = total
  tokens: number;
}
