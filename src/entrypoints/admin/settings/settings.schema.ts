import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import type { SettingDescription, SettingSource } from '../../../platform/config/setting-description.js';
import type { SettingDeclaration } from '../../../platform/settings/setting-declaration.js';
import type { SettingInput, SettingKey } from '../../../platform/settings/settings.schema.js';

const VALUE = {
  oneOf: [
    { type: 'integer' as const },
    { type: 'string' as const },
    { type: 'array' as const, items: { type: 'string' as const } },
  ],
};

export class SettingBody {
  @ApiProperty({ ...VALUE, description: 'A value of the type of the setting.' })
  @IsDefined()
  value!: unknown;
}

export class Setting implements SettingDescription {
  @ApiProperty({ type: String, example: 'mcp.tool_timeout_ms' })
  key!: SettingKey;

  @ApiProperty({ enum: ['integer', 'string', 'string_list', 'secret', 'credential'] })
  type!: SettingDeclaration['type'];

  @ApiProperty()
  group!: string;

  @ApiProperty()
  description!: string;

  @ApiProperty({ ...VALUE, nullable: true })
  default!: SettingInput | null;

  @ApiPropertyOptional()
  minimum?: number;

  @ApiPropertyOptional()
  maximum?: number;

  @ApiPropertyOptional()
  unit?: string;

  @ApiPropertyOptional({ type: [String], description: 'All values that the setting may have.' })
  choices?: readonly string[];

  @ApiPropertyOptional({ description: 'Length of the shortest secret that is accepted.' })
  minimumLength?: number;

  @ApiProperty({ ...VALUE, nullable: true, description: 'Always null for secrets and credentials.' })
  value!: SettingInput | null;

  @ApiProperty({ description: 'Whether the setting has been set, by the environment or an administrator.' })
  isSet!: boolean;

  @ApiProperty({ enum: ['default', 'stored', 'environment'] })
  source!: SettingSource;

  @ApiProperty({ description: 'Whether the environment decides: then it cannot be changed here.' })
  locked!: boolean;

  @ApiProperty({ description: 'The environment variable that overrides it.' })
  environmentVariable!: string;

  @ApiProperty({ description: 'Whether it can only be set, and not read.' })
  secret!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the value that is set is not used, and what to do; null when it is used.',
  })
  problem!: string | null;

  @ApiProperty({ description: 'Another one after each change; for the header If-Match.' })
  version!: string;
}

export class GeneratedSecret {
  @ApiProperty({ example: 'mcp.api_key' })
  key!: string;

  @ApiProperty({ description: 'The new secret. It is not shown again.' })
  value!: string;
}
