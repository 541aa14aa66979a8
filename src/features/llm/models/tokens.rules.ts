/** Minimum UTF-8 bytes per token in most languages; English has four. */
const BYTES_PER_TOKEN = 3;
/** Tokens of a message besides its text. */
const TOKENS_PER_MESSAGE = 8;

/** Tokens of a request and its answer, counted by the API, or estimated. */
export interface Tokens {
  prompt: number;
  completion: number;
}

export const totalOf = ({ prompt, completion }: Tokens): number => prompt + completion;

/** Estimates the number of tokens in texts, rather too high than too low. */
export const estimatedTokens = (...texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN) + TOKENS_PER_MESSAGE, 0);

/** Returns the month of a time in UTC, such as 2026-07. */
export const monthOf = (time: Date): string => time.toISOString().slice(0, 7);

/** Returns the start of the month after a time, ISO 8601. */
export const nextMonth = (time: Date): string =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1)).toISOString();
