/** Inspected characters of a text; more than the model reads. */
export const READ_CHARACTERS = 4_000;

/** Returns the part of a text that the model reads: the beginning. */
export const readPart = (text: string): string => text.slice(0, READ_CHARACTERS).toWellFormed();

/**
 * Returns whether the model knows the script of a text: at least half of the letters are Latin. It hardly distinguishes texts in
 * other scripts, so these would all seem similar.
 */
export function isReadable(text: string): boolean {
  const letters = text.slice(0, READ_CHARACTERS).match(/\p{L}/gu)?.length ?? 0;
  const latin = text.slice(0, READ_CHARACTERS).match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin * 2 >= letters;
}
