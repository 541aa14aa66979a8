import type { SettingDescription, SettingSource } from '../../../platform/config/setting-description.js';
import type { SettingDeclaration } from '../../../platform/settings/setting-declaration.js';
import type { SettingInput, SettingKey } from '../../../platform/settings/settings.schema.js';
import { Amount, Flag, OneOf, Text, Texts, Value } from '../api/fields.decorators.js';

const VALUE = {
  oneOf: [
    { type: 'integer' as const },
    { type: 'string' as const },
    { type: 'array' as const, items: { type: 'string' as const } },
  ],
};

export class SettingBody {
  @Value(VALUE, { says: 'New value, of the type of the setting.' }) value!: unknown;
}

export class Setting implements SettingDescription {
  @Text({ example: 'mcp.tool_timeout_ms' }) key!: SettingKey;
  @OneOf(['integer', 'string', 'string_list', 'secret', 'credential']) type!: SettingDeclaration['type'];
  @Text() group!: string;
  @Text() description!: string;
  @Value(VALUE, { nullable: true }) default!: SettingInput | null;
  @Amount({ optional: true }) minimum?: number;
  @Amount({ optional: true }) maximum?: number;
  @Text({ optional: true }) unit?: string;
  @Texts({ optional: true, says: 'All values that the setting may have.' }) choices?: readonly string[];
  @Amount({ optional: true, says: 'Length of the shortest secret that is accepted.' }) minimumLength?: number;

  @Value(VALUE, { nullable: true, says: 'The current value; always null for secrets and credentials.' })
  value!: SettingInput | null;

  @Flag({ says: 'Whether the setting has been set, by the environment or an administrator.' }) isSet!: boolean;
  @OneOf(['default', 'stored', 'environment']) source!: SettingSource;
  @Flag({ says: 'Whether an environment variable sets the value, so that it cannot be changed here.' })
  locked!: boolean;
  @Text({ says: 'The environment variable that overrides it.' }) environmentVariable!: string;
  @Flag({ says: 'Whether the value can be set but not read.' }) secret!: boolean;

  @Text({ nullable: true, says: 'Why the value is not used, and how to fix it; null when it is used.' })
  problem!: string | null;

  @Text({ says: 'Version for the header If-Match; it changes with each change.' }) version!: string;
}

export class GeneratedSecret {
  @Text({ example: 'mcp.api_key' }) key!: string;
  @Text({ says: 'The new secret. It is not shown again.' }) value!: string;
}
