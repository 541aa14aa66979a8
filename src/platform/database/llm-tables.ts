/** Tokens of language models that were used, or are reserved for what is being asked. */
export interface LlmUsageTable {
  month: string; // 2026-07, in UTC
  principal: string; // name of a client; * = all of them together
  tokens: number;
}
