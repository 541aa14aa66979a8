import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsUrl, Max, Min } from 'class-validator';

const MEANING = Symbol('the meaning of a variable');
const PORT = { message: '$property must be 1-65535' };

/** Says what an environment variable means; the manual and its validation are derived from the declaration. */
export const Says = (meaning: string): PropertyDecorator => Reflect.metadata(MEANING, meaning);

export const meaningOf = (variables: object, name: string): string | undefined =>
  Reflect.getMetadata(MEANING, variables, name) as string | undefined;

export const Port = (says: string) =>
  applyDecorators(
    Says(says),
    Type(() => Number),
    IsInt(PORT),
    Min(1, PORT),
    Max(65535, PORT),
  );

export const HttpUrl = (says: string) =>
  applyDecorators(
    Says(says),
    IsOptional(),
    IsUrl(
      { protocols: ['http', 'https'], require_protocol: true, require_tld: false },
      { message: '$property must be an http:// or https:// URL' },
    ),
  );

export const OneOf = (values: readonly string[], says: string) =>
  applyDecorators(Says(says), IsIn(values, { message: `$property must be one of ${values.join(', ')}` }));
