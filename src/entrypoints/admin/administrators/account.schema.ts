import { MAX_PASSWORD, MIN_PASSWORD } from '../../../access/accounts/password.rules.js';
import { type Field, Text } from '../api/fields.decorators.js';

/** Longer ones are refused by the service, in words. */
const LONGEST_TYPED = 1024;

export const NewPassword = (field: Field) =>
  Text({ max: LONGEST_TYPED, doc: { minLength: MIN_PASSWORD, maxLength: MAX_PASSWORD }, ...field });

export class OwnPasswordBody {
  @Text({ max: LONGEST_TYPED, says: 'The current password of the account.' }) present!: string;
  @NewPassword({ says: 'The new password.' }) password!: string;
}
