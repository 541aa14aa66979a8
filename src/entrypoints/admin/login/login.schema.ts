import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import type { AdminIdentity } from '../../../access/accounts/admin-access.service.js';
import { ADMIN_ROLES, type AdminRole, BUILT_IN } from '../../../access/accounts/administrator.js';

export class LogInBody {
  @ApiPropertyOptional({ maxLength: 40, default: BUILT_IN, description: 'The name of the account.' })
  @IsString()
  @MaxLength(40)
  user: string = BUILT_IN;

  @ApiProperty({ maxLength: 1024 })
  @IsString()
  @MaxLength(1024)
  password!: string;
}

export class AdminIdentityView implements AdminIdentity {
  @ApiProperty({ example: BUILT_IN, description: 'The name of the account.' })
  user!: string;

  @ApiProperty({ enum: ADMIN_ROLES, enumName: 'AdminRole' })
  role!: AdminRole;

  @ApiProperty({ enum: ['basic', 'session'] })
  method!: 'basic' | 'session';

  @ApiProperty({
    type: Date,
    nullable: true,
    description: 'When the browser session ends if it is not used; null with HTTP Basic.',
  })
  expiresAt!: Date | null;
}
