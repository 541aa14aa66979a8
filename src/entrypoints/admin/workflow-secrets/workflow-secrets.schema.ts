import {
  HOST_ENTRY_RULE,
  MAX_PLACES,
  MAX_SECRET,
  type SecretLimits,
  type SecretValue,
  SKILL_NAME,
  SKILL_NAME_RULE,
  type WorkflowSecret,
} from '../../../features/workflows/secrets/workflow-secret.js';
import { MAX_HOST_ENTRY } from '../../../features/workflows/secrets/secret-limits.rules.js';
import { Text, Texts, Time, Value } from '../api/fields.decorators.js';

/** Without the quotes that it has as JSON. */
const TEXT = { type: 'string' as const, maxLength: MAX_SECRET - 2 };
const HOSTS = 'Hosts that call: http may send the secret to; null = any.';
const SKILLS = 'Skills and workflows that may be called with the secret; null = any.';

export class WorkflowSecretBody implements Partial<SecretLimits> {
  @Value(
    {
      oneOf: [
        { ...TEXT, minLength: 1 },
        { type: 'object', additionalProperties: TEXT, minProperties: 1 },
      ],
    },
    {
      optional: true,
      says: 'A text, or an object of texts, such as username and password. It cannot be read again. A new secret needs it.',
    },
  )
  value?: SecretValue;

  @Texts({
    most: MAX_PLACES,
    max: MAX_HOST_ENTRY,
    optional: true,
    nullable: true,
    example: ['api.example.com'],
    says: `${HOSTS} Each ${HOST_ENTRY_RULE}.`,
  })
  hosts?: string[] | null;

  @Texts({
    most: MAX_PLACES,
    pattern: SKILL_NAME,
    rule: SKILL_NAME_RULE,
    optional: true,
    nullable: true,
    example: ['deploy'],
    says: SKILLS,
  })
  skills?: string[] | null;
}

export class WorkflowSecretView implements WorkflowSecret {
  @Text({ example: 'weather_api', says: 'Name, for use.secrets of workflows.' }) name!: string;
  @Texts({ nullable: true, example: ['api.example.com'], says: HOSTS }) hosts!: readonly string[] | null;
  @Texts({ nullable: true, example: ['deploy'], says: SKILLS }) skills!: readonly string[] | null;
  @Time({ says: 'When it was set or changed last.' }) updatedAt!: Date;
}
