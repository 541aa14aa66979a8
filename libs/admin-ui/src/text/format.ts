const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const number = new Intl.NumberFormat('en');

const UNITS = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const;

/** Formats a past time: "3 minutes ago". */
export function formatAgo(at: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - at.getTime()) / 1000);
  for (const { unit, seconds: size } of UNITS) {
    if (seconds >= size) return relative.format(-Math.floor(seconds / size), unit);
  }
  return seconds < 10 ? 'just now' : relative.format(-Math.floor(seconds), 'second');
}

/** Formats a future time: "in 3 minutes". */
export function formatUntil(at: Date, now: Date): string {
  const seconds = Math.max(0, (at.getTime() - now.getTime()) / 1000);
  for (const { unit, seconds: size } of UNITS) {
    if (seconds >= size) return relative.format(Math.round(seconds / size), unit);
  }
  return seconds < 10 ? 'now' : relative.format(Math.round(seconds), 'second');
}

/** Formats a duration with its two largest units: "2 days 3 hours". */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return countOf(Math.round(seconds), 'second');
  const parts: string[] = [];
  let rest = Math.round(seconds);
  for (const { unit, seconds: size } of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(countOf(count, unit));
  }
  return parts.slice(0, 2).join(' ');
}

/** Formats a number with its noun: "1 call", "1,200 calls". */
export const countOf = (count: number, noun: string): string =>
  `${number.format(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Formats milliseconds: "0.4 ms", "12 ms", "1.5 s". */
export function formatMs(ms: number): string {
  if (ms >= 1000) return `${number.format(Math.round(ms / 100) / 10)} s`;
  return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
}

/** Formats how long something took, in the unit that fits: "12 ms", "1.5 s", "2 hours 5 minutes". */
export const formatTook = (ms: number): string => (ms < 60_000 ? formatMs(ms) : formatDuration(ms / 1000));

/** Formats a size: "200 bytes", "1.5 KB", "16 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return countOf(bytes, 'byte');
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KB'] : [bytes / 1024 / 1024, 'MB'];
  return `${number.format(Math.round(size * 10) / 10)} ${unit}`;
}

export const formatNumber = (value: number): string => number.format(value);
export const formatClock = (at: Date): string => clock.format(at);
export const formatDate = (at: Date): string => date.format(at);
