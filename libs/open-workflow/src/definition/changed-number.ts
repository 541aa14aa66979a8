const WHOLE = /^[-+]?\d+$/;
const TEXTS = /"(?:[^"\\]|\\.)*"/g;
const LONG_NUMBERS = /(?<![\w.$])\d{16,309}(?![\w.])/g;

/** Returns what is wrong with a whole number that has too many digits to stay as it is; null when nothing is. */
export function changedNumber(source: string): string | null {
  if (!WHOLE.test(source) || !Number.isFinite(Number(source))) return null;
  const kept = BigInt(Number(source));
  return kept === BigInt(source)
    ? null
    : `the number ${source} becomes ${kept}: numbers above 2^53 are not exact, so write it as text, in quotes`;
}

/** Returns the same for the numbers in a program of jq, the first that changes. */
export function changedNumberIn(program: string): string | null {
  for (const [number] of program.replace(TEXTS, '""').matchAll(LONG_NUMBERS)) {
    const change = changedNumber(number);
    if (change !== null) return change;
  }
  return null;
}
