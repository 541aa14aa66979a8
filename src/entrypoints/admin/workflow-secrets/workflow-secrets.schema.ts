import {
  MAX_SECRET,
  type SecretValue,
  type WorkflowSecret,
} from '../../../features/workflows/secrets/workflow-secret.js';
import { Text, Time, Value } from '../api/fields.decorators.js';

const TEXT = { type: 'string' as const, minLength: 1, maxLength: MAX_SECRET };

export class WorkflowSecretBody {
  @Value(
    { oneOf: [TEXT, { type: 'object', additionalProperties: TEXT, minProperties: 1 }] },
    { says: 'A text, or an object of texts, such as username and password. It cannot be read again.' },
  )
  value!: SecretValue;
}

export class WorkflowSecretView implements WorkflowSecret {
  @Text({ example: 'weather_api', says: 'Name, for use.secrets of workflows.' }) name!: string;
  @Time() updatedAt!: Date;
}
