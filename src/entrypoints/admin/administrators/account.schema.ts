import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { MAX_PASSWORD, MIN_PASSWORD } from '../../../access/accounts/password.rules.js';

const LONGEST_TYPED = 1024;

export class OwnPasswordBody {
  @ApiProperty({ maxLength: LONGEST_TYPED, description: 'The password that the account has now.' })
  @IsString()
  @MaxLength(LONGEST_TYPED)
  present!: string;

  @ApiProperty({ minLength: MIN_PASSWORD, maxLength: MAX_PASSWORD, description: 'The new password.' })
  @IsString()
  @MaxLength(LONGEST_TYPED)
  password!: string;
}
