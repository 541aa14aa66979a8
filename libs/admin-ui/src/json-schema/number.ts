const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns the number that was entered, or the text as it is when it is none; undefined when nothing was. */
export function toNumber(text: string): number | string | undefined {
  const entered = text.trim();
  if (entered === '') return undefined;
  const number = Number(entered);
  return NUMBER.test(entered) && Number.isFinite(number) ? number : text;
}
