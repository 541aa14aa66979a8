/** What is done with a text. */
export type Call = (text: string) => unknown;

/** How the function of a rule takes a text; or, in words, why it is not judged. */
export type Entry = Call | readonly Call[] | string;

export const NOT_TEXT = 'takes numbers, not text';
export const OURS = 'takes what the service wrote itself';
export const CODE = 'takes what the author of a skill wrote';
