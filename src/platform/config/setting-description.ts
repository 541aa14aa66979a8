import type { SettingDeclaration } from '../settings/setting-declaration.js';
import { declarationOf, environmentVariableOf, isPlainKey } from '../settings/settings.rules.js';
import type { SettingInput, SettingKey } from '../settings/settings.schema.js';

export type SettingSource = 'default' | 'stored' | 'environment';

/** A setting as administrators see it, never with the value of a secret or a credential. */
export interface SettingDescription {
  key: SettingKey;
  type: SettingDeclaration['type'];
  group: string;
  description: string;
  default: SettingInput | null;
  minimum?: number;
  maximum?: number;
  unit?: string;
  /** All values that a text may have; absent when there are too many. */
  choices?: readonly string[];
  /** Length of the shortest secret that is accepted. */
  minimumLength?: number;
  value: SettingInput | null;
  /** Whether the environment or an administrator has set it. */
  isSet: boolean;
  source: SettingSource;
  /** Whether the environment variable decides: then an administrator cannot change it. */
  locked: boolean;
  environmentVariable: string;
  /** Whether it can only be set, and not read. */
  secret: boolean;
  /** Why the value that is set is not used, and what to do; null when it is used. */
  problem: string | null;
  /** Another one after each change. */
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
