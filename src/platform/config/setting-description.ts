import type { SettingDeclaration } from '../settings/setting-declaration.js';
import { declarationOf, environmentVariableOf, isPlainKey } from '../settings/settings.rules.js';
import type { SettingInput, SettingKey } from '../settings/settings.schema.js';

export type SettingSource = 'default' | 'stored' | 'environment';

/** A setting as administrators see it, without the values of secrets and credentials. */
export interface SettingDescription {
  key: SettingKey;
  type: SettingDeclaration['type'];
  group: string;
  description: string;
  default: SettingInput | null;
  minimum?: number;
  maximum?: number;
  unit?: string;
  /** All valid values of a text; absent when there are too many. */
  choices?: readonly string[];
  minimumLength?: number;
  value: SettingInput | null;
  /** True when the environment or an administrator has set it. */
  isSet: boolean;
  source: SettingSource;
  /** True when the environment variable overrides it: an administrator cannot change it. */
  locked: boolean;
  environmentVariable: string;
  /** True when it can be set but not read. */
  secret: boolean;
  /** Why the configured value is not used, and what to do; null when it is used. */
  problem: string | null;
  /** Changes with each change of the setting. */
  version: string;
}

interface SettingState {
  key: SettingKey;
  value: SettingInput | null;
  source: SettingSource;
  problem: string | null;
  version: string;
}

export function describeSetting({ key, value, source, problem, version }: SettingState): SettingDescription {
  const setting = declarationOf(key);
  return {
    key,
    type: setting.type,
    group: setting.group,
    description: setting.description,
    default: setting.default,
    ...(setting.type === 'integer' && {
      minimum: setting.minimum,
      maximum: setting.maximum,
      ...(setting.unit && { unit: setting.unit }),
    }),
    ...(setting.type === 'string' && setting.choices && { choices: setting.choices }),
    ...(setting.type === 'secret' && { minimumLength: setting.minimumLength }),
    value: isPlainKey(key) ? value : null,
    isSet: source !== 'default',
    source,
    locked: source === 'environment',
    environmentVariable: environmentVariableOf(key),
    secret: !isPlainKey(key),
    problem,
    version,
  };
}
