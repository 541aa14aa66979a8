const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns the entered number, or the unchanged text if it is not a number; undefined when it is empty. */
export function toNumber(text: string): number | string | undefined {
  const entered = text.trim();
  if (entered === '') return undefined;
  const number = Number(entered);
  return NUMBER.test(entered) && Number.isFinite(number) ? number : text;
}

/** Returns the entered number; null when it is empty, NaN if it is not a number. */
export function readNumber(text: string): number | null {
  const number = toNumber(text) ?? null;
  return typeof number === 'string' ? NaN : number;
}

export const areNumbers = (...texts: readonly string[]): boolean =>
  texts.every((text) => !Number.isNaN(readNumber(text)));

/** Returns a saved number as the text of its field. */
export const textOfNumber = (number: number | null): string => (number === null ? '' : String(number));
