import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import type { JsonObject } from '#skill-kit';

export class SkillTrialBody {
  @ApiProperty({ type: Object, additionalProperties: true, description: 'As the input schema of the skill says.' })
  @IsObject()
  arguments!: JsonObject;
}
