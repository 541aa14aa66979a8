import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsOptional, IsString, MaxLength } from 'class-validator';

/** Of one text. */
export const MAX_TAGS = 50;
export const MAX_TAG = 64;

/** A field for the tags to give to a text; it may be left out. */
export const OptionalTags = () =>
  applyDecorators(
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_TAGS),
    IsString({ each: true }),
    MaxLength(MAX_TAG, { each: true }),
  );
