import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class ProblemField {
  @ApiProperty({ description: 'Where in the input.', example: 'tags.0' })
  path!: string;

  @ApiProperty()
  message!: string;
}

/** An RFC 9457 problem document. */
export class Problem {
  @ApiProperty({ example: 'about:blank' })
  type!: string;

  @ApiProperty({ example: 'Bad Request' })
  title!: string;

  @ApiProperty({ example: 400 })
  status!: number;

  @ApiProperty({ description: 'What was wrong, and what to do.' })
  detail!: string;

  @ApiProperty({ description: 'Stable; for programs.', example: 'config.invalid_value' })
  code!: string;

  @ApiPropertyOptional({ type: [ProblemField] })
  errors?: readonly ProblemField[];
}
