import {
  type AccountDetails,
  ADMIN_ROLES,
  type Administrator,
  ADMINISTRATOR_NAME,
  type AdminRole,
  type AdminSession,
} from '../../../access/accounts/administrator.js';
import { MAX_PASSWORD, MIN_PASSWORD } from '../../../access/accounts/password.rules.js';
import { type Field, Flag, Groups, OneOf, Text, Texts, Time } from '../api/fields.decorators.js';

const ROLE = {
  enumName: 'AdminRole',
  says: 'Role of the account: member has only its own account; viewer reads; editor also changes content and workflows; admin changes everything.',
};

/** High enough that the service itself refuses long passwords, with an explanation. */
const LONGEST_TYPED = 1024;

const NewPassword = (field: Field) =>
  Text({ max: LONGEST_TYPED, doc: { minLength: MIN_PASSWORD, maxLength: MAX_PASSWORD }, ...field });

export class NewPasswordBody {
  @NewPassword({
    optional: true,
    nullable: true,
    says: 'The new password. Without it, one is generated and shown once.',
  })
  password?: string | null;
}

export class OwnPasswordBody {
  @Text({ max: LONGEST_TYPED, says: 'The current password of the account.' }) present!: string;
  @NewPassword({ says: 'The new password.' }) password!: string;
}

/** Omitted members stay unchanged. */
export class AdministratorBody implements Partial<AccountDetails> {
  @OneOf(ADMIN_ROLES, { ...ROLE, optional: true }) role?: AdminRole;

  @Groups({ optional: true, says: 'Groups that policies see the person in, as they see clients in groups.' })
  groups?: string[];

  @Flag({ optional: true, says: 'Whether the account can neither log in nor keep a session.' }) disabled?: boolean;
}

export class NewAdministratorBody extends NewPasswordBody {
  @Text({
    max: 40,
    pattern: ADMINISTRATOR_NAME,
    rule: 'must begin with a small letter, and have at most 40 small letters, digits, dots, hyphens and underscores',
  })
  name!: string;

  @OneOf(ADMIN_ROLES, ROLE) role!: AdminRole;
}

export class AdministratorView implements Administrator {
  @Text({ example: 'ada' }) name!: string;
  @OneOf(ADMIN_ROLES, ROLE) role!: AdminRole;
  @Texts() groups!: readonly string[];
  @Flag() disabled!: boolean;

  @Flag({ says: 'Whether it can log in with a password; otherwise only by single sign-on.' })
  hasPassword!: boolean;

  @Flag({ says: 'Whether ADMIN_PASSWORD sets the password; then it can only be changed there.' })
  hasFixedPassword!: boolean;

  @Time() createdAt!: Date;
  @Time() passwordChangedAt!: Date;
  @Time({ nullable: true, says: 'When the password was last entered; null: never.' }) lastLoginAt!: Date | null;
}

export class NewPasswordView {
  @Text({ example: 'ada' }) name!: string;

  @Text({ nullable: true, says: 'The generated password; null when one was given. It is not shown again.' })
  password!: string | null;
}

export class AdminSessionView implements AdminSession {
  @Text() id!: string;
  @Text({ says: 'IP address of the login.' }) address!: string;
  @Text({ nullable: true, says: 'User agent of the browser.' }) browser!: string | null;
  @Time() createdAt!: Date;
  @Time({ says: 'Time of the last request, to within five minutes.' }) lastUsedAt!: Date;
}

/** Leaves out the fields that only logins need. */
export function toAdministratorView(administrator: Administrator): AdministratorView {
  const { name, role, groups, disabled, hasPassword, hasFixedPassword, createdAt, passwordChangedAt, lastLoginAt } =
    administrator;
  return { name, role, groups, disabled, hasPassword, hasFixedPassword, createdAt, passwordChangedAt, lastLoginAt };
}
