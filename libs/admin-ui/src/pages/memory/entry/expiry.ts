import { readNumber } from '../../../json-schema/number';

const LONGEST_DAYS = 36_500;

/** Returns what is wrong with the entered number of days; null when nothing is. */
export function problemOfDays(text: string): string | null {
  const days = readNumber(text) ?? 0;
  return days >= 0 && days <= LONGEST_DAYS ? null : 'Enter a number of days from 0 to 36,500.';
}

/** Returns the entered expiry; undefined = it stays as it is, null = never. */
export function expiryOf(text: string): number | null | undefined {
  const days = readNumber(text);
  return days === null ? undefined : days || null;
}
