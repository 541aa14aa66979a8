import {
  IsArray,
  IsBoolean,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Nested } from '#skill-kit';
import { OptionalTags } from '../../platform/text/tags.schema.js';
import { NAMESPACE } from './memory.rules.js';

export const DEFAULT_HITS = 10;
/** Entries of at most this many characters are returned whole, unless the caller says otherwise. */
export const SHOWN_WHOLE = 1_500;

export class MemorySearchInput {
  @JSONSchema({
    description:
      'A question or words, such as "Which day do we deploy?" or "deploy day", at most 1000 characters. By default, the newest entries are returned.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(1000)
  query?: string;

  @JSONSchema({
    description:
      'Only entries of this namespace, such as "shared": lower-case letters, digits, dots, underscores and hyphens. By default, of all.',
  })
  @IsOptional()
  @Matches(NAMESPACE)
  namespace?: string;

  @JSONSchema({
    description: 'Only entries that have all of these tags, such as ["ops"]. By default, whatever their tags are.',
  })
  @OptionalTags()
  tags?: string[];

  @JSONSchema({
    description:
      'Without a query: only entries older than this one, such as "memory://shared/deploy-day", to continue after it. By default, from the newest.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(300)
  before?: string;

  @JSONSchema({ description: 'How many entries to return, 1 to 50, for example 20.', default: DEFAULT_HITS })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(50)
  limit?: number;

  @JSONSchema({
    description: 'Longest content to return of each entry, in characters, 100 to 20000. For example 5000.',
    default: SHOWN_WHOLE,
  })
  @IsOptional()
  @IsInt()
  @Min(100)
  @Max(20_000)
  max_characters?: number;
}

export class MemorySearchHit {
  @IsString() uri!: string;
  @IsString() namespace!: string;
  @IsString() key!: string;
  @JSONSchema({ description: 'As it was saved; only the part that matches best when truncated is true.' })
  @IsString()
  content!: string;

  @JSONSchema({ description: 'Whether content is only a part: read all of it at the uri, with resource_read.' })
  @IsBoolean()
  truncated!: boolean;

  @JSONSchema({ description: 'Length of the whole content.' })
  @IsInt()
  characters!: number;

  @IsArray() @IsString({ each: true }) tags!: string[];
  @IsInt() importance!: number;
  @IsString() client!: string;
  @JSONSchema({ description: 'The program that saved it, as it names itself.' })
  @IsOptional()
  @IsString()
  program?: string;

  @IsString() updated!: string;
}

export class MemorySearchResult {
  @Nested(() => MemorySearchHit, { each: true }) hits!: MemorySearchHit[];
  @JSONSchema({ description: 'How many there are, and what to do next.' })
  @IsString()
  hint!: string;
}
