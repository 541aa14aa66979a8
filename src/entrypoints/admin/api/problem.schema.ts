import { AnyObject, Amount, Parts, Text } from './fields.decorators.js';

export class ProblemField {
  @Text({ example: 'tags.0', says: 'Path of the field in the input.' }) path!: string;
  @Text() message!: string;
  @Amount({ optional: true, says: 'Line of the text, from 1, when the input is a text with lines.' }) line?: number;
  @Amount({ optional: true, says: 'Column in the line, from 1.' }) column?: number;
}

/** An RFC 9457 problem document. */
export class Problem {
  @Text({ example: 'about:blank' }) type!: string;
  @Text({ example: 'Bad Request' }) title!: string;
  @Amount({ example: 400 }) status!: number;
  @Text({ says: 'What is wrong, and what to do.' }) detail!: string;
  @Text({ example: 'config.invalid_value', says: 'A stable code for programs.' }) code!: string;
  @Parts(ProblemField, { optional: true }) errors?: readonly ProblemField[];
}

/** The problem of a change that is based on an outdated version. */
export class OutdatedProblem extends Problem {
  @AnyObject({ says: 'The current state, as GET returns it.' }) present!: object;
}
