import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import {
  ADMIN_ROLES,
  type Administrator,
  ADMINISTRATOR_NAME,
  type AdminRole,
  type AdminSession,
} from '../../../access/accounts/administrator.js';
import { MAX_PASSWORD, MIN_PASSWORD } from '../../../access/accounts/password.rules.js';

const ROLE = {
  enum: ADMIN_ROLES,
  enumName: 'AdminRole',
  description: 'viewer reads; editor changes content and workflows, too; admin changes everything.',
};
/** Longer ones are refused by the service, in words. */
const LONGEST_TYPED = 1024;

export class NewPasswordBody {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    minLength: MIN_PASSWORD,
    maxLength: MAX_PASSWORD,
    description: 'The new password. When it is left out, one is made and shown once.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_TYPED)
  password?: string | null;
}

export class AdministratorBody {
  @ApiProperty(ROLE)
  @IsIn(ADMIN_ROLES)
  role!: AdminRole;
}

export class NewAdministratorBody extends NewPasswordBody {
  @ApiProperty({ pattern: ADMINISTRATOR_NAME.source, maxLength: 40 })
  @Matches(ADMINISTRATOR_NAME, {
    message:
      'name must begin with a small letter, and have at most 40 small letters, digits, dots, hyphens and underscores',
  })
  name!: string;

  @ApiProperty(ROLE)
  @IsIn(ADMIN_ROLES)
  role!: AdminRole;
}

export class AdministratorView implements Administrator {
  @ApiProperty({ example: 'ada' })
  name!: string;

  @ApiProperty(ROLE)
  role!: AdminRole;

  @ApiProperty({ description: 'Whether ADMIN_PASSWORD says what the password is, so that it cannot be changed here.' })
  hasFixedPassword!: boolean;

  @ApiProperty()
  createdAt!: Date;

  @ApiProperty()
  passwordChangedAt!: Date;

  @ApiProperty({ type: Date, nullable: true, description: 'When the password was last entered; null: never.' })
  lastLoginAt!: Date | null;
}

export class NewPasswordView {
  @ApiProperty({ example: 'ada' })
  name!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The password that was made; null when it was given. It is not shown again.',
  })
  password!: string | null;
}

export class AdminSessionView implements AdminSession {
  @ApiProperty()
  id!: string;

  @ApiProperty({ description: 'The address that logged in.' })
  address!: string;

  @ApiProperty({ type: String, nullable: true, description: 'What the browser calls itself.' })
  browser!: string | null;

  @ApiProperty()
  createdAt!: Date;

  @ApiProperty({ description: 'Within five minutes.' })
  lastUsedAt!: Date;
}

/** Leaves out what only logins need. */
export function toAdministratorView(administrator: Administrator): AdministratorView {
  const { name, role, hasFixedPassword, createdAt, passwordChangedAt, lastLoginAt } = administrator;
  return { name, role, hasFixedPassword, createdAt, passwordChangedAt, lastLoginAt };
}
