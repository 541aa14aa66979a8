import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import type { AdminIdentity } from '../auth/admin-access.service.js';

export class LogInBody {
  @ApiProperty({ maxLength: 1024 })
  @IsString()
  @MaxLength(1024)
  password!: string;
}

export class AdminIdentityView implements AdminIdentity {
  @ApiProperty({ enum: ['admin'] })
  user!: 'admin';

  @ApiProperty({ enum: ['basic', 'session'] })
  method!: 'basic' | 'session';

  @ApiProperty({
    type: Date,
    nullable: true,
    description: 'When the browser session ends if it is not used; null with HTTP Basic.',
  })
  expiresAt!: Date | null;
}
