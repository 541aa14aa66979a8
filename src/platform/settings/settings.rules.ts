import { parsedOrNull } from '#bounded-json';
import type { SettingDeclaration, TextRule } from './setting-declaration.js';
import {
  type CredentialKey,
  type PlainKey,
  type SecretKey,
  type SettingInput,
  type SettingKey,
  SETTINGS,
} from './settings.schema.js';

const MAX_LIST_ENTRIES = 1000;
/** How many invalid entries a message names, and how much of each. */
const MOST_NAMED = 5;
const LONGEST_NAMED = 100;

export const SETTING_KEYS: readonly SettingKey[] = (Object.keys(SETTINGS) as SettingKey[]).sort();

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key);
}

export function isSecretKey(key: SettingKey): key is SecretKey {
  return SETTINGS[key].type === 'secret';
}

export function isCredentialKey(key: SettingKey): key is CredentialKey {
  return SETTINGS[key].type === 'credential';
}

export function isPlainKey(key: SettingKey): key is PlainKey {
  return !isSecretKey(key) && !isCredentialKey(key);
}

export const declarationOf = (key: SettingKey): SettingDeclaration => SETTINGS[key];

/** Returns the environment variable that overrides a setting: MCP_API_KEY for mcp.api_key. */
export const environmentVariableOf = (key: SettingKey): string => key.toUpperCase().replaceAll('.', '_');

/** `entries`: the positions of invalid list entries. */
export type CheckedValue = { value: SettingInput } | { problem: string; entries?: readonly number[] };

/** Returns the value if it is valid for the setting, or else the problem, beginning with "must be". */
export function checkValue(key: SettingKey, value: unknown): CheckedValue {
  const setting = declarationOf(key);
  switch (setting.type) {
    case 'integer': {
      const isWhole = Number.isSafeInteger(value) && typeof value === 'number';
      if (isWhole && value >= setting.minimum && value <= setting.maximum) return { value };
      const unit = setting.unit ? ` ${setting.unit}` : '';
      return { problem: `must be a whole number from ${setting.minimum} to ${setting.maximum}${unit}` };
    }
    case 'secret':
      if (typeof value === 'string' && isGuessable(key, value)) return { problem: `must be ${setting.patternMeaning}` };
      return checkText(setting, value);
    case 'string':
    case 'credential':
      return checkText(setting, value);
    case 'string_list':
      if (!isStringList(value)) return { problem: `must be a list of at most ${MAX_LIST_ENTRIES} texts` };
      return checkList(setting, value);
  }
}

/** Parses the value of a setting from an environment variable. A list is comma-separated or JSON. */
export function checkOverride(key: SettingKey, text: string): CheckedValue {
  const setting = declarationOf(key);
  switch (setting.type) {
    case 'integer':
      return checkValue(key, /^-?\d+$/.test(text) ? Number(text) : text);
    case 'string_list':
      return checkValue(key, text.trimStart().startsWith('[') ? parsedOrNull(text) : splitList(text));
    case 'secret':
    case 'string':
    case 'credential':
      return checkValue(key, text);
  }
}

/** Returns whether a secret is short enough for brute force. */
function isGuessable(key: SettingKey, value: string): boolean {
  const setting = declarationOf(key);
  return setting.type === 'secret' && value.length < setting.minimumLength;
}

function checkText(rule: TextRule, value: unknown): CheckedValue {
  if (typeof value === 'string' && fits(rule, value)) return { value };
  return { problem: `must be ${rule.patternMeaning}` };
}

function checkList(rule: TextRule, list: readonly string[]): CheckedValue {
  const entries = list.flatMap((entry, index) => (fits(rule, entry) ? [] : [index]));
  if (entries.length === 0) return { value: Object.freeze([...list]) };
  const named = entries.slice(0, MOST_NAMED).map((index) => JSON.stringify(list[index]?.slice(0, LONGEST_NAMED)));
  const others = entries.length > MOST_NAMED ? ` and ${entries.length - MOST_NAMED} more` : '';
  const problem = `must be a list in which each entry is ${rule.patternMeaning}: ${named.join(', ')}${others} cannot be used`;
  return { problem, entries };
}

const fits = ({ pattern, isValid }: TextRule, text: string): boolean => pattern.test(text) && (isValid?.(text) ?? true);

function isStringList(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= MAX_LIST_ENTRIES &&
    value.every((entry: unknown) => typeof entry === 'string')
  );
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
