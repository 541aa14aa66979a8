import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsOptional, IsString, MaxLength } from 'class-validator';
import { MAX_TAG, MAX_TAGS } from './words.rules.js';

/** Declares an optional field that holds tags. */
export const OptionalTags = () =>
  applyDecorators(
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_TAGS),
    IsString({ each: true }),
    MaxLength(MAX_TAG, { each: true }),
  );
