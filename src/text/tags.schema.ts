import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsOptional, IsString, MaxLength } from 'class-validator';
import { MAX_TAG, MAX_TAGS } from './words.rules.js';

/** A field for the tags to give to a text; it may be left out. */
export const OptionalTags = () =>
  applyDecorators(
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_TAGS),
    IsString({ each: true }),
    MaxLength(MAX_TAG, { each: true }),
  );
