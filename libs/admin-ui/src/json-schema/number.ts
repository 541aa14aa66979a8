const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns the entered number, or the unchanged text if it is not a number; undefined when it is empty. */
export function toNumber(text: string): number | string | undefined {
  const entered = text.trim();
  if (entered === '') return undefined;
  const number = Number(entered);
  return NUMBER.test(entered) && Number.isFinite(number) ? number : text;
}
