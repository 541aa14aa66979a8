/** Characters that are looked at; all that the model reads of a text, and more. */
export const READ_CHARACTERS = 4_000;

/** Returns what the model reads of a text: the beginning, which says what the text is about. */
export const readPart = (text: string): string => text.slice(0, READ_CHARACTERS).toWellFormed();

/**
 * Returns whether the model knows the script of a text: at least half of the letters are Latin. Of other scripts it knows
 * hardly more than that they are not Latin, so that all texts in them seem alike.
 */
export function isReadable(text: string): boolean {
  const letters = text.slice(0, READ_CHARACTERS).match(/\p{L}/gu)?.length ?? 0;
  const latin = text.slice(0, READ_CHARACTERS).match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin * 2 >= letters;
}
