import { IsArray, IsInt, IsString } from 'class-validator';
import { Nested } from '#skill-kit';
import { Flag, Integer, Tags, Text } from '../../core/skills/skill-fields.decorators.js';
import { LONGEST_GIVEN } from '../../platform/text/search-lacks.rules.js';
import { NAMESPACE } from './memory.rules.js';

export const DEFAULT_HITS = 10;
/** Entries of at most this many characters are returned whole, unless the caller sets another limit. */
export const SHOWN_WHOLE = 1_500;

export class MemorySearchInput {
  @Text(
    'A question or words, such as "Which day do we deploy?" or "deploy day", the first 1000 characters of it are searched for. By default, the newest entries are returned.',
    { min: 1, max: LONGEST_GIVEN, optional: true },
  )
  query?: string;

  @Text(
    'Only entries of this namespace, such as "shared": lower-case letters, digits, dots, underscores and hyphens. By default, of all.',
    { pattern: NAMESPACE, optional: true },
  )
  namespace?: string;

  @Tags('Only entries that have all of these tags, such as ["ops"]. By default, whatever their tags are.')
  tags?: string[];

  @Text(
    'Without a query: only entries older than this one, such as "memory://shared/deploy-day", to continue after it. By default, from the newest.',
    { min: 1, max: 300, optional: true },
  )
  before?: string;

  @Integer('How many entries to return, 1 to 50, for example 20.', {
    min: 1,
    max: 50,
    optional: true,
    default: DEFAULT_HITS,
  })
  limit?: number;

  @Integer('Longest content to return of each entry, in characters, 100 to 20000. For example 5000.', {
    min: 100,
    max: 20_000,
    optional: true,
    default: SHOWN_WHOLE,
  })
  max_characters?: number;
}

export class MemorySearchHit {
  @IsString() uri!: string;
  @IsString() namespace!: string;
  @IsString() key!: string;
  @Text('As it was saved; only the part that matches best when truncated is true.') content!: string;
  @Flag('Whether content is only a part: read all of it at the uri, with resource_read.') truncated!: boolean;
  @Integer('Length of the whole content.') characters!: number;
  @IsArray() @IsString({ each: true }) tags!: string[];
  @IsInt() importance!: number;
  @IsString() client!: string;
  @Text('The program that saved it, as it names itself.', { optional: true }) program?: string;
  @IsString() updated!: string;
}

export class MemorySearchResult {
  @Nested(() => MemorySearchHit, { each: true }) hits!: MemorySearchHit[];
  @Text('How many there are, and what to do next.') hint!: string;
}
