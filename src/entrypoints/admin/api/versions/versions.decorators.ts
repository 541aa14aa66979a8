import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  UseInterceptors,
  type CallHandler,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { OutdatedProblem } from '../problem.schema.js';
import { versionInIfMatch, entityTag } from './if-match.rules.js';
import { InvalidIfMatch } from './versions.errors.js';

/** The member with the version for If-Match: on workflows, `version` means something else. */
type Versioned = { version: string | number } | { revision: string };

/** Sends the version of a result in the header ETag. */
@Injectable()
class VersionTag implements NestInterceptor<Versioned> {
  intercept(context: ExecutionContext, next: CallHandler<Versioned>): Observable<Versioned> {
    const response = context.switchToHttp().getResponse<Response>();
    const tagOf = (body: Versioned) => entityTag('revision' in body ? body.revision : body.version);
    return next.handle().pipe(tap((body) => void response.set('ETag', tagOf(body))));
  }
}

/** Declares that a route sends the version of its result in the header ETag. */
export const ReturnsVersion = () => UseInterceptors(VersionTag);

/** Declares that a route changes only the version in the header If-Match, if the request has one. */
export const ChecksVersion = () =>
  applyDecorators(
    ApiHeader({
      name: 'If-Match',
      required: false,
      description:
        'The version that the change is based on, in quotes: the ETag of what was read, which is its `version`, or `revision`.',
      schema: { type: 'string', maxLength: 70, example: '"3"' },
    }),
    ...outdatedResponse('It has changed since that version: nothing is done.'),
  );

/** Declares that a route only adds, and never replaces, when the header If-None-Match is `*`. */
export const MayOnlyAdd = () =>
  applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: '`*`: nothing is replaced that exists already.',
      schema: { type: 'string', enum: ['*'] },
    }),
    ...outdatedResponse('It exists already: nothing is done.'),
  );

/** The version that may be replaced: 0 = none, because the header If-None-Match is `*`; undefined = any. */
export const OnlyAdds = createParamDecorator((_data: undefined, context: ExecutionContext) =>
  context.switchToHttp().getRequest<Request>().headers['if-none-match']?.trim() === '*' ? 0 : undefined,
);

function outdatedResponse(description: string) {
  const schema = { $ref: getSchemaPath(OutdatedProblem) };
  const content = { 'application/problem+json': { schema } };
  return [ApiExtraModels(OutdatedProblem), ApiResponse({ status: 412, description, content })];
}

function ifMatchOf(context: ExecutionContext, example: string): string | undefined {
  const version = versionInIfMatch(context.switchToHttp().getRequest<Request>().headers['if-match']);
  if (version === null) throw new InvalidIfMatch(example);
  return version;
}

/** The version in the header If-Match; undefined when there is none. @throws InvalidIfMatch */
export const IfMatch = createParamDecorator((_data: undefined, context: ExecutionContext) =>
  ifMatchOf(context, '"default"'),
);

/** The same as a number. */
export const IfMatchNumber = createParamDecorator((_data: undefined, context: ExecutionContext) => {
  const version = ifMatchOf(context, '"3"');
  if (version !== undefined && !/^\d{1,9}$/.test(version)) throw new InvalidIfMatch('"3"');
  return version === undefined ? undefined : Number(version);
});
