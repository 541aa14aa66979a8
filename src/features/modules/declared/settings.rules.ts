import { isObject } from '#bounded-json';
import type { JsonObject } from '#skill-kit';
import { type DeclaredSetting, type DeclaredSkill, MOST_SETTING, MOST_SETTINGS, type SettingValue } from './module.js';

/** A value that an administrator has set and that is ignored, because it is invalid. */
export interface Misfit {
  name: string;
  value: SettingValue;
  /** Describes a valid value. */
  problem: string;
}

type Wrong = (what: string) => void;
type Values = Readonly<Record<string, SettingValue>>;

const NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,39}$/;
const TYPES = ['string', 'integer', 'number', 'boolean'] as const;
const FIELDS = ['type', 'description', 'default', 'minimum', 'maximum', 'enum'];
const MOST_CHOICES = 50;
const MOST_CHOICE = 200;
const MOST_DESCRIPTION = 500;

/** Reads the settings that a skill declares in `uses.settings`: for each name, a subset of JSON Schema. */
export function settingsIn(declared: unknown, wrong: Wrong): DeclaredSetting[] {
  if (declared === undefined) return [];
  const entries = isObject(declared) ? Object.entries(declared) : [];
  if (!isObject(declared) || entries.length > MOST_SETTINGS) {
    wrong(`its uses.settings must be an object of at most ${MOST_SETTINGS} settings: { limit: { type: "integer" } }`);
    return [];
  }
  return entries.flatMap(([name, setting]) => settingOf(name, setting, wrong) ?? []);
}

/**
 * Returns conflicts between the settings of several skills: a setting belongs to the module, and is the same for all of its
 * skills.
 */
export function problemsOfSettings(skills: readonly DeclaredSkill[]): string[] {
  const known = new Map<string, string>();
  const problems = new Set<string>();
  for (const setting of skills.flatMap(({ settings }) => settings)) {
    const text = JSON.stringify(setting);
    if ((known.get(setting.name) ?? text) !== text)
      problems.add(
        `two skills declare the setting ${setting.name} in different ways: a setting is the same for a whole module`,
      );
    known.set(setting.name, text);
  }
  if (known.size > MOST_SETTINGS) problems.add(`its skills declare more than ${MOST_SETTINGS} settings together`);
  return [...problems];
}

/** Returns the distinct settings of a module, in the order of their declaration. */
export const settingsOf = (skills: readonly DeclaredSkill[]): DeclaredSetting[] => [
  ...new Map(skills.flatMap(({ settings }) => settings.map((setting) => [setting.name, setting] as const))).values(),
];

/** Returns the values for calls: the valid ones that were set, else the defaults; settings with neither are left out. */
export const valuesFor = (settings: readonly DeclaredSetting[], given: Values): Record<string, SettingValue> =>
  Object.fromEntries(
    settings.flatMap((setting) => {
      const value = fittingValue(setting, given) ?? setting.default;
      return value === null ? [] : [[setting.name, value]];
    }),
  );

export const fittingValues = (settings: readonly DeclaredSetting[], given: Values): Record<string, SettingValue> =>
  valuesFor(
    settings.map((setting) => ({ ...setting, default: null })),
    given,
  );

/** Returns the values that were set and no longer match the declaration. */
export const misfitsOf = (settings: readonly DeclaredSetting[], given: Values): Misfit[] =>
  settings.flatMap((setting) => {
    const { name } = setting;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const problem = value === undefined ? null : problemOf(setting, value);
    return value === undefined || problem === null ? [] : [{ name, value, problem }];
  });

/** Returns the problems of an administrator's values for settings, with their places. */
export const problemsOfValues = (
  settings: readonly DeclaredSetting[],
  values: JsonObject,
): { path: string; message: string }[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const setting = settings.find((one) => one.name === name);
    const message = setting ? problemOf(setting, value) : `is no setting of the module: it has ${namesOf(settings)}`;
    return message === null ? [] : [{ path: `values.${name.slice(0, 60)}`, message }];
  });

export const schemaOfSettings = (settings: readonly DeclaredSetting[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(
    settings.map(({ name, ...rest }) => [
      name,
      Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)),
    ]),
  ),
  additionalProperties: false,
});

/** Returns what is wrong with a value of a setting, such as "must be at most 10"; null when it is valid. */
export function problemOf(setting: DeclaredSetting, value: unknown): string | null {
  const { type, minimum, maximum } = setting;
  if (type === 'boolean') return typeof value === 'boolean' ? null : 'must be true or false';
  if (type === 'string') return problemOfText(setting, value);
  if (typeof value !== 'number' || !Number.isFinite(value) || (type === 'integer' && !Number.isSafeInteger(value)))
    return type === 'integer' ? 'must be an integer' : 'must be a number';
  if (minimum !== null && value < minimum) return `must be at least ${minimum}`;
  return maximum !== null && value > maximum ? `must be at most ${maximum}` : null;
}

function problemOfText({ enum: choices }: DeclaredSetting, value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a text';
  if (choices) return choices.includes(value) ? null : `must be one of ${choices.join(', ')}`;
  return value.length > MOST_SETTING ? `must have at most ${MOST_SETTING} characters` : null;
}

function settingOf(name: string, declared: unknown, wrong: Wrong): DeclaredSetting | null {
  const label = `its uses.settings.${name.slice(0, 60)}`;
  const { type, description, default: value, minimum, maximum, enum: choices } = isObject(declared) ? declared : {};
  const problems = [
    !NAME.test(name) && 'needs a name of at most 40 letters, digits and _, and begins with a letter',
    !isOneOf(TYPES, type) && `needs a type: ${TYPES.join(', ')}`,
    isObject(declared) && strange(declared),
    description !== undefined &&
      !isText(description, MOST_DESCRIPTION) &&
      `has a description that is no text of at most ${MOST_DESCRIPTION} characters`,
    ...[minimum, maximum].map(
      (bound) =>
        bound !== undefined &&
        (!isNumber(type) || !Number.isFinite(bound)) &&
        'has a minimum or maximum, which must be numbers of an integer or a number',
    ),
    choices !== undefined &&
      !(type === 'string' && isChoices(choices)) &&
      `has an enum, which must be a list of 1 to ${MOST_CHOICES} different texts of a string`,
  ].filter((problem) => typeof problem === 'string');
  for (const problem of new Set(problems)) wrong(`${label} ${problem}`);
  if (problems.length > 0 || !isOneOf(TYPES, type)) return null;
  const setting: DeclaredSetting = {
    ...{ name, type, description: typeof description === 'string' ? description : null, default: null },
    ...{ minimum: typeof minimum === 'number' ? minimum : null, maximum: typeof maximum === 'number' ? maximum : null },
    enum: isChoices(choices) ? choices : null,
  };
  const misfit = value === undefined ? null : problemOf(setting, value);
  if (misfit !== null) wrong(`${label} has a default that does not fit: it ${misfit}`);
  return { ...setting, default: misfit === null && isValue(value) ? value : null };
}

function strange(declared: JsonObject): string | false {
  const field = Object.keys(declared).find((one) => !FIELDS.includes(one));
  return field !== undefined && `has ${JSON.stringify(field.slice(0, 60))}; a setting has ${FIELDS.join(', ')}`;
}

function fittingValue(setting: DeclaredSetting, given: Values): SettingValue | null {
  const value = Object.hasOwn(given, setting.name) ? given[setting.name] : undefined;
  return value !== undefined && problemOf(setting, value) === null ? value : null;
}

const namesOf = (settings: readonly DeclaredSetting[]): string => settings.map(({ name }) => name).join(', ') || 'none';
const isNumber = (type: unknown): boolean => type === 'integer' || type === 'number';
const isValue = (value: unknown): value is SettingValue => ['string', 'number', 'boolean'].includes(typeof value);
const isText = (value: unknown, most: number): boolean =>
  typeof value === 'string' && value !== '' && value.length <= most;
const isChoices = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= MOST_CHOICES &&
  value.every((one) => isText(one, MOST_CHOICE)) &&
  new Set(value).size === value.length;
const isOneOf = <Value>(values: readonly Value[], value: unknown): value is Value =>
  values.some((one) => one === value);
