import { fieldErrors } from '../../api/api-error';
import { formatDuration, formatNumber } from '../../text/format';
import { readAmount } from './amount';
import type { Setting, SettingValue } from './use-settings';

/** The value of a form field; for a number, the entered text. */
export type Draft = string | string[];

const GROUP_TITLES: Readonly<Record<string, string>> = {
  mcp: 'MCP endpoint',
  runs: 'Runs',
  audit: 'Audit log',
  rss: 'Feeds',
  workflows: 'Workflows',
  modules: 'Skill modules',
  knowledge: 'Knowledge base',
  sso: 'Single sign-on',
  memory: 'Memory',
  llm: 'Language models',
  http: 'Outgoing requests',
  limits: 'Limits of the MCP endpoint',
};

export interface SettingGroup {
  name: string;
  title: string;
  settings: Setting[];
}

/** Groups that few people change come last. */
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
  if (type === 'string_list') return Array.isArray(value) ? value : [];
  return value === null ? '' : String(value);
}

export type CheckedDraft = { value: SettingValue } | { problem: string };

/** Returns the value of a draft to save, or its problem. The service checks the rest. */
export function checkDraft(setting: Setting, draft: Draft): CheckedDraft {
  if (Array.isArray(draft)) return { value: draft };
  if (setting.type === 'integer') return readAmount(draft, setting);
  const { minimumLength = 0 } = setting;
  return draft.length < minimumLength
    ? { problem: `Enter ${minimumLength} characters or more: shorter keys can be guessed.` }
    : { value: draft };
}

export function isChanged(setting: Setting, draft: Draft): boolean {
  return JSON.stringify(draft) !== JSON.stringify(draftOf(setting));
}

/**
 * Describes the bounds, the default and the current value of a setting, and the meaning of the input: "1 to 3,600,000 ms ·
 * Default: 30,000 ms · Now: 30,000 ms (30 seconds) · Entered: 45,000 ms (45 seconds)".
 */
export function factsOf(setting: Setting, draft: Draft): string {
  const { value, default: byDefault } = setting;
  const checked = isChanged(setting, draft) ? checkDraft(setting, draft) : null;
  const entered = checked && 'value' in checked && setting.type === 'integer' ? inWords(checked.value, setting) : null;
  return [
    boundsOf(setting),
    `Default: ${inWords(byDefault, setting)}`,
    `Now: ${inWords(value, setting)}`,
    entered && `Entered: ${entered}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

function boundsOf({ minimum, maximum, unit }: Setting): string | null {
  if (minimum === undefined || maximum === undefined) return null;
  return `${formatNumber(minimum)} to ${formatNumber(maximum)}${unit ? ` ${unit}` : ''}`;
}

function inWords(value: SettingValue | null, setting: Setting): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : 'empty';
  if (typeof value === 'string') return value || 'empty';
  const meaning = meaningOf(value, setting);
  return `${formatNumber(value)}${setting.unit ? ` ${setting.unit}` : ''}${meaning ? ` (${meaning})` : ''}`;
}

// Returns a large number in words, such as "1 day" for 86,400,000 ms; null when the number is as easy to read.
function meaningOf(value: number, { unit }: Setting): string | null {
  if (value <= 0) return null;
  if (unit === 'bytes') return value >= 1024 ? formatBytes(value) : null;
  return unit === 'ms' && value >= 1000 ? formatDuration(value / 1000) : null;
}

function formatBytes(bytes: number): string {
  const units = ['KiB', 'MiB', 'GiB'];
  const power = Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), units.length);
  return `${Math.round((bytes / 1024 ** power) * 10) / 10} ${units[power - 1]}`;
}

/** What a new key for the endpoint does to those who use the current one. */
export const cutOffBy = ({ isSet }: Setting): string =>
  isSet ? ' Clients that use the current key are disconnected at once, until they have the new one.' : '';

/** The question before a reset, with what it changes. */
export function resetQuestion(setting: Setting): { title: string; text: string; confirm: string } {
  const { key, type, secret } = setting;
  if (type === 'secret') {
    const text = 'From now on, no client can use the endpoint with this key.';
    return { title: 'Forget the key?', text, confirm: 'Forget key' };
  }
  if (secret) return { title: `Forget ${key}?`, text: 'It cannot be shown again.', confirm: 'Forget it' };
  const text = `From now on, the default applies: ${inWords(setting.default, setting)}. Now: ${inWords(setting.value, setting)}.`;
  return { title: `Reset ${key}?`, text, confirm: 'Reset it' };
}

/** Returns the positions of the entries of a list that the service refused. */
export const wrongEntriesOf = (error: unknown): readonly number[] =>
  [...fieldErrors(error).keys()].flatMap((path) => /^value\.(\d+)$/.exec(path)?.[1] ?? []).map(Number);
