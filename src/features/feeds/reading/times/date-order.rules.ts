/** The order in a numeric date with slashes, such as 05/08/2024. */
export type DateOrder = 'day-first' | 'month-first';

/** Characters of a text that are searched for such a date. */
const MAX_CHARACTERS = 300;
const MAX_LANGUAGE = 35;

/** Returns the order of such a date in the text when only one order is valid; undefined when both are, or there is none. */
export function certainOrder(text: string): DateOrder | undefined {
  const [, first, second] = /(?<!\d)(\d{1,2})\/(\d{1,2})\/\d{2,4}(?!\d)/.exec(text.slice(0, MAX_CHARACTERS)) ?? [];
  if (Number(first) > 12 && Number(second) <= 12) return 'day-first';
  return Number(second) > 12 && Number(first) <= 12 ? 'month-first' : undefined;
}

/** Returns the usual order of a language, such as `en-GB`; undefined when it is unknown or the year comes first. */
export function usualOrder(language: string): DateOrder | undefined {
  try {
    const format = new Intl.DateTimeFormat(language.trim().slice(0, MAX_LANGUAGE).replaceAll('_', '-'), {
      calendar: 'gregory',
      dateStyle: 'short',
    });
    const [first] = format.formatToParts(0).filter(({ type }) => type !== 'literal');
    return first?.type === 'day' ? 'day-first' : first?.type === 'month' ? 'month-first' : undefined;
  } catch {
    return undefined; // not a name of a language
  }
}
