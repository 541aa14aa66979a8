const MONTHS: readonly string[] = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Offsets from UTC, in hours, of the time zone names that feeds use. An unknown or missing name counts as UTC. */
const ZONES: Readonly<Record<string, number>> = {
  edt: -4,
  est: -5,
  cdt: -5,
  cst: -6,
  mdt: -6,
  mst: -7,
  pdt: -7,
  pst: -8,
  bst: 1,
  west: 1,
  cet: 1,
  mez: 1,
  cest: 2,
  mesz: 2,
  eet: 2,
  eest: 3,
  msk: 3,
  ist: 5.5,
  jst: 9,
  kst: 9,
  aest: 10,
  aedt: 11,
  nzst: 12,
  nzdt: 13,
};
const ISO = /^(\d{4})[-/]?(\d{2})[-/]?(\d{2})(?:(?:\s*T\s*|\s+)(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s*(.*))?$/i;
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(.*))?$/;
const MONTH_ONLY = /^(\d{4})(?:-(\d{2}))?$/;
const SECONDS = /^\d{10}$/;
const MILLISECONDS = /^\d{13}$/;
/** How much of a text is read, counting comments and white space. */
const MAX_CHARACTERS = 300;
const EARLIEST = Date.UTC(1970, 0, 2);
const LATEST = Date.UTC(2100, 0, 1);

interface Parts {
  year: number;
  month: number; // 1-12
  day: number;
  hour?: number;
  minute?: number;
  second?: number;
  zone?: string;
}

/** Parses a time as feeds write it: RFC 822 and RFC 3339, with the usual mistakes. Returns null when it is no time. */
export function parseFeedTime(text: string): Date | null {
  const trimmed = text
    .trimStart()
    .slice(0, MAX_CHARACTERS)
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 100);
  if (SECONDS.test(trimmed)) return inRange(Number(trimmed) * 1000);
  if (MILLISECONDS.test(trimmed)) return inRange(Number(trimmed));
  const parts = isoParts(trimmed) ?? wordParts(trimmed);
  return parts && toTime(parts);
}

function isoParts(text: string): Parts | null {
  const iso = ISO.exec(text);
  if (iso) {
    const [, year, month, day, hour, minute, second, zone] = iso;
    return parts({ year, month, day, hour, minute, second }, zone);
  }
  const dotted = DOTTED.exec(text);
  if (dotted) {
    const [, day, month, year, hour, minute, second, zone] = dotted;
    return parts({ year, month, day, hour, minute, second }, zone);
  }
  const [, year, month = '1'] = MONTH_ONLY.exec(text) ?? [];
  return year === undefined ? null : parts({ year, month, day: '1' }, undefined);
}

// Sat, 21 Nov 2026 10:15:00 +0100; November 21, 2026 10:15 am; Sat Nov 21 10:15:00 UTC 2026
function wordParts(text: string): Parts | null {
  const words = text
    .replaceAll(',', ' ')
    .split(' ')
    .filter((word) => word !== '');
  const month = words.map(monthOf).find((found) => found > 0);
  const time = words
    .map((word) => /^(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:[.,]\d+)?(am|pm)?$/i.exec(word))
    .find(Boolean);
  const numbers = words
    .flatMap((word) => /^(\d{1,4})(?:st|nd|rd|th|\.)?$/i.exec(word)?.[1] ?? word.split('-'))
    .filter((word) => /^\d{1,2}$|^\d{4}$/.test(word));
  const year = numbers.find((number) => number.length === 4) ?? centuryAdded(numbers[1]);
  const day = numbers.find((number) => number.length < 3);
  if (month === undefined || day === undefined || year === undefined) return null;
  const [, hour, minute, second, half = words.find((word) => /^[ap]m$/i.test(word))] = time ?? [];
  const zone = words.filter(
    (word) => /^(?:[a-z]{1,5})?[+-]\d{1,2}:?(?:\d{2})?$/i.test(word) || word.toLowerCase() in ZONES,
  );
  const found = parts({ year, month: String(month), day, hour, minute, second }, zone.at(-1));
  return half === undefined ? found : { ...found, hour: ((found.hour ?? 0) % 12) + (/^p/i.test(half) ? 12 : 0) };
}

function centuryAdded(year: string | undefined): string | undefined {
  return year && `${Number(year) < 70 ? '20' : '19'}${year}`;
}

function monthOf(word: string): number {
  const [name = ''] = word.split('-').filter((part) => /^[a-z]{3}/i.test(part));
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function parts(texts: Record<string, string | undefined>, zone: string | undefined): Parts {
  const numbers = Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, Number(text)]]));
  return { ...(Object.fromEntries(numbers) as Parts), ...(zone && { zone: zone.trim() }) };
}

function toTime({ year, month, day, hour = 0, minute = 0, second = 0, zone = '' }: Parts): Date | null {
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60) return null;
  if (year < 100) return null; // Date.UTC would add 1900
  return inRange(Date.UTC(year, month - 1, day, hour, minute, second) - offsetMs(zone));
}

function offsetMs(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? [];
  const offset = sign ? Number(`${sign}1`) * (Number(hours) + Number(minutes) / 60) : (ZONES[zone.toLowerCase()] ?? 0);
  return Math.abs(offset) > 15 ? 0 : offset * 3_600_000;
}

// A time outside the range is a placeholder (0001-01-01) or a mistake.
const inRange = (ms: number): Date | null => (ms >= EARLIEST && ms < LATEST ? new Date(ms) : null);
