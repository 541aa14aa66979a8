import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { withEveryMember, withoutInheritedNames } from '#skill-kit';
import { AppError, type FieldProblem } from '../../../../platform/errors/app-error.js';

const MOST_PROBLEMS = 50;
const MOST_CHARACTERS = 200;

export class InvalidBody extends AppError {
  constructor(fields: FieldProblem[]) {
    // Bounded, even when many fields are wrong.
    const problems = fields
      .slice(0, MOST_PROBLEMS)
      .map(({ path, message }) => ({ path: cut(path), message: cut(message) }));
    const list = problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
    super('invalid', 'invalid_body', `${fields.length === 1 ? 'a field is' : 'some fields are'} wrong: ${list}`, {
      fields: problems,
    });
  }
}

const cut = (text: string): string =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS).toWellFormed()}…` : text;

/** Checks bodies and queries against their classes, and refuses undeclared fields. */
@Injectable()
export class BodyPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      exceptionFactory: (errors) => new InvalidBody(fieldProblems(errors)),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    return withEveryMember<unknown>(await super.transform(withoutInheritedNames(value), metadata), value);
  }
}

function fieldProblems(errors: ValidationError[], parent = ''): FieldProblem[] {
  return errors.flatMap((error) => {
    const path = `${parent}${error.property}`;
    const broken = Object.values(error.constraints ?? {});
    // A field that is missing breaks all its rules.
    const isMissing = error.value === undefined && broken.length > 0;
    const messages = isMissing ? [`${error.property} is missing`] : broken;
    const own = messages.map((message) => ({ path, message }));
    return [...own, ...fieldProblems(error.children ?? [], `${path}.`)];
  });
}
