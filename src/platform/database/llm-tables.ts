/** Tokens of language models that were used, or are reserved for what is being asked. */
export interface LlmUsageTable {
  month: string; // 2026-07, in UTC
  principal: string; // a client, as an owner; * = all of them together
  tokens: number;
}
