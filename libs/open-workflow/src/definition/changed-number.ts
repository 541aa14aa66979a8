const WHOLE = /^[-+]?\d+$/;
const TEXTS = /"(?:[^"\\]|\\.)*"/g;
const LONG_NUMBERS = /(?<![\w.$])\d{16,309}(?![\w.])/g;

/** Returns a warning about an integer with too many digits to be represented exactly; null when it is exact. */
export function changedNumber(source: string): string | null {
  if (!WHOLE.test(source) || !Number.isFinite(Number(source))) return null;
  const kept = BigInt(Number(source));
  return kept === BigInt(source)
    ? null
    : `the number ${source} becomes ${kept}: numbers above 2^53 are not exact, so write it as text, in quotes`;
}

/** The same for the numbers in a jq program: returns the first warning. */
export function changedNumberIn(program: string): string | null {
  for (const [number] of program.replace(TEXTS, '""').matchAll(LONG_NUMBERS)) {
    const change = changedNumber(number);
    if (change !== null) return change;
  }
  return null;
}
