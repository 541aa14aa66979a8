import { applyDecorators } from '@nestjs/common';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import type { JsonObject } from '#skill-kit';
import { MAX_TAG, MAX_TAGS } from '../../platform/text/words.rules.js';

interface Field {
  optional?: boolean;
  default?: unknown;
}

interface Bounds extends Field {
  min?: number;
  max?: number;
}

/** A text of `min` to `max` characters. As in all decorators here, `says` is the description for language models. */
export const Text = (says: string, { pattern, min, max, ...field }: Bounds & { pattern?: RegExp } = {}) =>
  declare(says, field, [
    pattern && Matches(pattern),
    max !== undefined && MaxLength(max),
    min !== undefined && MinLength(min),
    !pattern && IsString(),
  ]);

export const Texts = (says: string) => declare(says, {}, [IsString({ each: true }), IsArray()]);

/** The tags of what is saved or searched for. */
export const Tags = (says: string) =>
  declare(says, { optional: true }, [
    IsArray(),
    ArrayMaxSize(MAX_TAGS),
    IsString({ each: true }),
    MaxLength(MAX_TAG, { each: true }),
  ]);

export const Integer = (says: string, { min, max, ...field }: Bounds = {}) =>
  declare(says, field, [max !== undefined && Max(max), min !== undefined && Min(min), IsInt()]);

/** A number that need not be an integer. */
export const Amount = (says: string, { min, max, ...field }: Bounds = {}) =>
  declare(says, field, [max !== undefined && Max(max), min !== undefined && Min(min), IsNumber()]);

/** An object with any members, unless the rest of the schema restricts them. */
export const AnyObject = (says: string, field: Field & JsonObject = {}) => declare(says, field, [IsObject()]);

export const Flag = (says: string, field: Field = {}) => declare(says, field, [IsBoolean()]);

/** One of several values. */
export const OneOf = (says: string, values: readonly unknown[], field: Field = {}) =>
  declare(says, field, [IsIn(values)]);

function declare(
  says: string,
  { optional = false, ...field }: Field,
  rules: (PropertyDecorator | false | undefined)[],
): PropertyDecorator {
  return applyDecorators(
    ...rules.filter((rule) => rule !== false && rule !== undefined),
    ...(optional ? [IsOptional()] : []),
    JSONSchema({ description: says, ...field }),
  );
}
