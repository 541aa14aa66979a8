/** Offsets from UTC, in hours, of the names that imply standard or summer time. */
const OFFSETS: Readonly<Record<string, number>> = {
  ...{ z: 0, ut: 0, utc: 0, gmt: 0, wet: 0, azot: -1, brt: -3, brst: -2, art: -3, uyt: -3, clt: -4, clst: -3 },
  ...{ bot: -4, vet: -4, cot: -5, pet: -5, ect: -5, nst: -3.5, ndt: -2.5, ast: -4, adt: -3, est: -5, edt: -4 },
  ...{ cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7, akst: -9, akdt: -8, hst: -10, hdt: -9, sst: -11 },
  ...{ bst: 1, west: 1, wat: 1, cet: 1, met: 1, mez: 1, mewt: 1, cat: 2, sast: 2, eet: 2, cest: 2, mest: 2, mesz: 2 },
  ...{ idt: 3, eest: 3, oesz: 3, oez: 2, eat: 3, msk: 3, trt: 3, msd: 4, samt: 4, gst: 4, irst: 3.5 },
  ...{ aft: 4.5, pkt: 5, uzt: 5, yekt: 5, ist: 5.5, npt: 5.75, omst: 6, bdt: 6, mmt: 6.5, ict: 7, wib: 7, krat: 7 },
  ...{ wita: 8, hkt: 8, sgt: 8, myt: 8, pht: 8, awst: 8, irkt: 8, wit: 9, jst: 9, kst: 9, yakt: 9, acst: 9.5 },
  ...{ acdt: 10.5, aest: 10, aedt: 11, vlat: 10, nzst: 12, nzdt: 13 },
};
/** Names that do not imply standard or summer time: the date decides. */
const REGIONS: Readonly<Record<string, string>> = {
  et: 'America/New_York',
  eastern: 'America/New_York',
  ct: 'America/Chicago',
  central: 'America/Chicago',
  mt: 'America/Denver',
  mountain: 'America/Denver',
  pt: 'America/Los_Angeles',
  pacific: 'America/Los_Angeles',
  atlantic: 'America/Halifax',
  'central european': 'Europe/Berlin',
  'w europe': 'Europe/Berlin',
  romance: 'Europe/Paris',
  'eastern european': 'Europe/Athens',
  'western european': 'Europe/Lisbon',
  uk: 'Europe/London',
};
const LONGEST_OFFSET_HOURS = 15;
/** The seasons that a long name may have: `Eastern Daylight Time`. */
const LONG_NAME = /^([a-z]+\.? ?[a-z]*?) ?(standard|daylight|summer)? time\b/;
const OFFSET = /^(?:z|[a-z]{2,5})? ?([+-])(\d{1,2})(?::?(\d{2}))?(?![\d./-]|:)/;
/** The rest of an offset whose plus sign was decoded as a space. */
const LOST_PLUS = /^ (\d{2}):(\d{2})$/;
const NAME = /^([a-z]+(?:[/_+-][a-z\d]+){0,4})(?![a-z])/;

export type Zone = { offsetHours: number } | { region: string };

export interface FoundZone {
  zone: Zone;
  /** Number of characters of the text that it covers. */
  length: number;
}

export interface WallTime {
  year: number;
  month: number; // 1-12
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** Returns the zone at the start of a text, as returned by `toTimeText`; null when there is none. */
export function findZone(text: string): FoundZone | null {
  const lost = LOST_PLUS.exec(text);
  if (lost) return { zone: { offsetHours: hours('+', lost[1], lost[2]) }, length: text.length };
  const start = text.length - text.trimStart().length;
  const rest = text.slice(start);
  const offset = OFFSET.exec(rest);
  if (offset) return { zone: { offsetHours: hours(...signed(offset)) }, length: start + offset[0].length };
  const long = longName(rest);
  if (long) return { ...long, length: start + long.length };
  const [, name] = NAME.exec(rest) ?? [];
  const zone = name === undefined ? null : namedZone(name);
  return zone && name !== undefined ? { zone, length: start + name.length } : null;
}

/** Returns the instant of a wall time in a zone; without a zone, in UTC. */
export function toInstantMs({ year, month, day, hour, minute, second }: WallTime, zone: Zone | null): number {
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  if (zone === null) return asUtc;
  if ('offsetHours' in zone) return asUtc - zone.offsetHours * 3_600_000;
  const wall = Temporal.Instant.fromEpochMilliseconds(asUtc).toZonedDateTimeISO('UTC').toPlainDateTime();
  return wall.toZonedDateTime(zone.region).epochMilliseconds;
}

const signed = ([, sign = '+', hour, minute]: RegExpExecArray): [string, string | undefined, string | undefined] => [
  sign,
  hour,
  minute,
];

// An offset that no place uses is a mistake.
function hours(sign: string, hour = '0', minute = '0'): number {
  const offset = Number(hour) + Number(minute) / 60;
  return offset > LONGEST_OFFSET_HOURS ? 0 : sign === '-' ? -offset : offset;
}

function longName(text: string): FoundZone | null {
  const [all, place = '', season] = LONG_NAME.exec(text) ?? [];
  const region = regionOf(place.replace('.', '').trim());
  if (all === undefined || region === undefined) return null;
  return { zone: season ? seasonal(region, season !== 'standard') : { region }, length: all.length };
}

const regionOf = (name: string): string | undefined => (Object.hasOwn(REGIONS, name) ? REGIONS[name] : undefined);

// The offset that the region has in the middle of winter or of summer.
function seasonal(region: string, isSummer: boolean): Zone {
  const day = Temporal.PlainDateTime.from(isSummer ? '2024-07-01' : '2024-01-01').toZonedDateTime(region);
  return { offsetHours: day.offsetNanoseconds / 3_600_000_000_000 };
}

function namedZone(name: string): Zone | null {
  const offsetHours = Object.hasOwn(OFFSETS, name) ? OFFSETS[name] : undefined;
  if (offsetHours !== undefined) return { offsetHours };
  const region = regionOf(name);
  if (region !== undefined) return { region };
  return name.includes('/') && isTimeZone(name) ? { region: name } : null;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false; // no place of this name
  }
}
