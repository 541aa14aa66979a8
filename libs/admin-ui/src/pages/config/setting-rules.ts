import { formatDuration, formatNumber } from '../../text/format';
import type { Setting, SettingValue } from './use-settings';

/** Value of a form field; an empty number field holds ''. */
export type Draft = SettingValue;

const GROUP_TITLES: Readonly<Record<string, string>> = {
  mcp: 'MCP endpoint',
  runs: 'Runs',
  audit: 'Audit log',
  rss: 'Feeds',
  workflows: 'Workflows',
  knowledge: 'Knowledge base',
  memory: 'Memory',
  http: 'Outgoing requests',
  limits: 'Limits of the MCP endpoint',
};

const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, minutes: 60, days: 86_400 };

export interface SettingGroup {
  name: string;
  title: string;
  settings: Setting[];
}

/** Groups that few people need to change come last. */
const ORDER: Readonly<Record<string, number>> = { mcp: -1, limits: 1 };

/** Sorts settings by group, the endpoint first and its limits last; within a group, secrets come first. */
export function groupSettings(settings: readonly Setting[]): SettingGroup[] {
  const names = [...new Set(settings.map(({ group }) => group))];
  names.sort((a, b) => (ORDER[a] ?? 0) - (ORDER[b] ?? 0) || a.localeCompare(b));
  return names.map((name) => ({
    name,
    title: GROUP_TITLES[name] ?? name,
    settings: settings
      .filter(({ group }) => group === name)
      .sort((a, b) => Number(b.secret) - Number(a.secret) || a.key.localeCompare(b.key)),
  }));
}

/** Returns the initial value of the field; a secret starts empty. */
export function draftOf({ value, type }: Setting): Draft {
  return value ?? (type === 'string_list' ? [] : '');
}

export function isChanged(setting: Setting, draft: Draft): boolean {
  return JSON.stringify(draft) !== JSON.stringify(draftOf(setting));
}

/**
 * Describes the bounds and the default of a setting, and the meaning of the entered value: "1 to 3,600,000 ms · Default:
 * 30,000 ms · Now: 5 minutes".
 */
export function factsOf(setting: Setting, draft: Draft): string {
  const meaning = meaningOf(draft, setting);
  return [boundsOf(setting), `Default: ${defaultOf(setting)}`, meaning && `Now: ${meaning}`]
    .filter(Boolean)
    .join(' · ');
}

function boundsOf({ minimum, maximum, unit }: Setting): string | null {
  if (minimum === undefined || maximum === undefined) return null;
  return `${formatNumber(minimum)} to ${formatNumber(maximum)}${unit ? ` ${unit}` : ''}`;
}

function defaultOf({ default: value, unit }: Setting): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : 'empty';
  if (typeof value === 'string') return value || 'empty';
  return `${formatNumber(value)}${unit ? ` ${unit}` : ''}`;
}

// A large number in words, such as "1 day" for 86,400,000 ms; null where the number is as easy to read.
function meaningOf(draft: Draft, { unit }: Setting): string | null {
  if (typeof draft !== 'number' || draft <= 0) return null;
  if (unit === 'bytes') return draft >= 1024 ? formatBytes(draft) : null;
  const seconds = SECONDS[unit ?? ''];
  if (unit !== 'ms' || seconds === undefined || draft * seconds < 1) return null;
  return formatDuration(draft * seconds);
}

function formatBytes(bytes: number): string {
  const units = ['KiB', 'MiB', 'GiB'];
  const power = Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), units.length);
  return `${Math.round((bytes / 1024 ** power) * 10) / 10} ${units[power - 1]}`;
}
