/** What is done with a text. */
export type Call = (text: string) => unknown;

/** Linear, and still dear: why, and who is spared it. */
interface Dear {
  calls: Call | readonly Call[];
  msPerMegabyte: number;
  because: string;
}

/** How the function of a rule takes a text; or, in words, why it is not judged. */
export type Entry = Call | readonly Call[] | Dear | string;

export const NOT_TEXT = 'takes numbers, not text';
export const OURS = 'takes what the service wrote itself';
export const CODE = 'takes what the author of a skill wrote';
export const WORDS =
  'each character may be a word, and Unicode has its say: what is long is done in the thread of PassageMaker';
