import { ApiProperty } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import {
  MAX_SECRET,
  type SecretValue,
  type WorkflowSecret,
} from '../../../features/workflows/secrets/workflow-secret.js';

const TEXT = { type: 'string' as const, minLength: 1, maxLength: MAX_SECRET };

export class WorkflowSecretBody {
  @ApiProperty({
    oneOf: [TEXT, { type: 'object', additionalProperties: TEXT, minProperties: 1 }],
    description: 'A text, or an object of texts, such as username and password. It cannot be read again.',
  })
  @IsDefined()
  value!: SecretValue;
}

export class WorkflowSecretView implements WorkflowSecret {
  @ApiProperty({ example: 'weather_api', description: 'The name that workflows write in use.secrets.' })
  name!: string;

  @ApiProperty()
  updatedAt!: Date;
}
