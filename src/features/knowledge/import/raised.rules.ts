const RAISED: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('0123456789+-−=()n').map((sign, index) => [sign, Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ')[index] ?? sign]),
);
const LOWERED: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('0123456789+-−=()').map((sign, index) => [sign, Array.from('₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎')[index] ?? sign]),
);
const MAX_LENGTH = 12;

/** Returns numbers as superscript, for notes and powers; other texts unchanged. */
export const raised = (text: string): string => written(text, RAISED);

/** Returns numbers as subscript, for formulas; other texts unchanged. */
export const lowered = (text: string): string => written(text, LOWERED);

function written(text: string, signs: Readonly<Record<string, string>>): string {
  if (text.length > MAX_LENGTH || !/\d/.test(text)) return text;
  const letters = Array.from(text, (sign) => signs[sign]);
  return letters.every((sign) => sign !== undefined) ? letters.join('') : text;
}
