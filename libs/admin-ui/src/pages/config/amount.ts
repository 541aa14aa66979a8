import { formatNumber } from '../../text/format';
import type { Setting } from './use-settings';

type Bounded = Pick<Setting, 'minimum' | 'maximum' | 'unit'>;

export type Amount = { value: number } | { problem: string };

/** Values of units in seconds or bytes, by their spellings. */
const DURATIONS: Readonly<Record<string, number>> = {
  ...valued(0.001, 'ms', 'millisecond', 'milliseconds'),
  ...valued(1, 's', 'sec', 'second', 'seconds'),
  ...valued(60, 'm', 'min', 'minute', 'minutes'),
  ...valued(3600, 'h', 'hour', 'hours'),
  ...valued(86_400, 'd', 'day', 'days'),
};
const SIZES: Readonly<Record<string, number>> = {
  ...valued(1, 'b', 'byte', 'bytes'),
  ...valued(1024, 'kb', 'kib'),
  ...valued(1024 ** 2, 'mb', 'mib'),
  ...valued(1024 ** 3, 'gb', 'gib'),
};

const WRITTEN = /^(-?\d+(?:\.\d+)?)\s*([a-z]*)$/i;

/** Parses the input for a number: in the unit of the setting, or with an explicit unit ("45 s", "2 min", "4 MiB"). */
export function readAmount(text: string, setting: Bounded): Amount {
  const [, digits, entered = ''] = WRITTEN.exec(text.trim()) ?? [];
  if (digits === undefined) return { problem: rangeOf(setting) };
  const value = entered === '' ? Number(digits) : convert(Number(digits), entered, setting.unit);
  if (value === null) return { problem: rangeOf(setting) };
  const { minimum = -Infinity, maximum = Infinity } = setting;
  return Number.isSafeInteger(value) && value >= minimum && value <= maximum
    ? { value }
    : { problem: rangeOf(setting) };
}

function convert(amount: number, entered: string, unit: string | undefined): number | null {
  for (const units of [DURATIONS, SIZES]) {
    const from = units[entered.toLowerCase()];
    const to = units[unit ?? ''];
    // Rounding to six decimals removes floating-point errors.
    if (from !== undefined && to !== undefined) return Math.round(((amount * from) / to) * 1e6) / 1e6;
  }
  return null;
}

function rangeOf({ minimum, maximum, unit }: Bounded): string {
  const bounds =
    minimum === undefined || maximum === undefined ? '' : ` from ${formatNumber(minimum)} to ${formatNumber(maximum)}`;
  return `Enter a whole number${unit ? ` of ${unit}` : ''}${bounds}${exampleOf(unit)}.`;
}

function exampleOf(unit: string | undefined): string {
  if (unit === 'bytes') return ', or with a unit, such as 4 MiB';
  if (unit === 'days') return '';
  return unit === undefined ? '' : `, or with a unit, such as ${unit === 'ms' ? '45 s' : '2 h'}`;
}

function valued(factor: number, ...names: string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, factor]));
}
