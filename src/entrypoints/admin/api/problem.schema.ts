import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class ProblemField {
  @ApiProperty({ description: 'Path of the field in the input.', example: 'tags.0' })
  path!: string;

  @ApiProperty()
  message!: string;

  @ApiPropertyOptional({ description: 'Line of the text, from 1, when the input is a text with lines.' })
  line?: number;

  @ApiPropertyOptional({ description: 'Column in the line, from 1.' })
  column?: number;
}

/** An RFC 9457 problem document. */
export class Problem {
  @ApiProperty({ example: 'about:blank' })
  type!: string;

  @ApiProperty({ example: 'Bad Request' })
  title!: string;

  @ApiProperty({ example: 400 })
  status!: number;

  @ApiProperty({ description: 'What is wrong, and what to do.' })
  detail!: string;

  @ApiProperty({ description: 'A stable code for programs.', example: 'config.invalid_value' })
  code!: string;

  @ApiPropertyOptional({ type: [ProblemField] })
  errors?: readonly ProblemField[];
}

/** The problem that what is to be changed has changed since it was read. */
export class OutdatedProblem extends Problem {
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'What there is now, as it is read.' })
  present!: object;
}
