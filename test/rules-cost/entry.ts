export type Call = (text: string) => unknown;

/** How to call a rule function with a text; or the reason why it is not measured. */
export type Entry = Call | readonly Call[] | string;

export const NOT_TEXT = 'takes numbers, not text';
export const OURS = 'takes what the service wrote itself';
export const CODE = 'takes what the author of a skill wrote';
