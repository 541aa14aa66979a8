/** Bytes of UTF-8 that a token has at least, in most languages: English has four. */
const BYTES_PER_TOKEN = 3;
/** What a message costs beside its text. */
const TOKENS_PER_MESSAGE = 8;

/** Tokens of a request and its answer, as the API has counted them, or as they are estimated. */
export interface Tokens {
  prompt: number;
  completion: number;
}

export const totalOf = ({ prompt, completion }: Tokens): number => prompt + completion;

/** Returns about how many tokens texts have, rather too many than too few. */
export const estimatedTokens = (...texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN) + TOKENS_PER_MESSAGE, 0);

/** Returns the month of a time in UTC, such as 2026-07. */
export const monthOf = (time: Date): string => time.toISOString().slice(0, 7);

/** Returns when the month after a time begins, ISO 8601. */
export const nextMonth = (time: Date): string =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1)).toISOString();
